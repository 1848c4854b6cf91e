"use client";

import { useState, type ReactNode } from "react";
import { useRemembered } from "../../data-table/use-remembered.ts";
import { ColumnHandle } from "./column-handle.tsx";
import { PanelTabs, type Panel } from "./panel-tabs.tsx";
import { useMedia } from "./use-media.ts";

type Widths = { left: number; right: number };

const usual: Widths = { left: 288, right: 368 };

/**
 * Panels, text and preview side by side where there is room; text beside the rest on smaller screens; all behind tabs on
 * phones and in zoomed windows, which are too low for columns that scroll by themselves. The server draws all three columns.
 */
export function useWorkspaceLayout(firstPanel: string) {
  const wide = useMedia("(min-width: 80rem) and (min-height: 36rem)", true);
  const medium = useMedia("(min-width: 64rem) and (min-height: 36rem)");
  const [panel, setPanel] = useState(firstPanel);
  const [single, setSingle] = useState(firstPanel === "audience" ? "audience" : "text");
  const [side, setSide] = useState(firstPanel === "audience" ? "audience" : "preview");
  const columns: 1 | 2 | 3 = wide ? 3 : medium ? 2 : 1;
  return {
    columns,
    panel: { 1: single, 2: side, 3: panel }[columns],
    show: (id: string) => {
      if (columns === 1) setSingle(id);
      else if (columns === 2 && id !== "text") setSide(id);
      else if (columns === 3 && id !== "text" && id !== "preview") setPanel(id);
    },
  };
}

export function WorkspaceLayout({
  layout,
  panels,
  text,
  preview,
}: {
  layout: ReturnType<typeof useWorkspaceLayout>;
  panels: readonly Panel[];
  text: ReactNode;
  preview: ReactNode;
}) {
  const [stored, remember] = useRemembered<Partial<Widths>>("template-columns", usual);
  const widths = { ...usual, ...stored };
  const tabs = { value: layout.panel, onValueChange: layout.show };

  if (layout.columns === 1) {
    const all = [
      { id: "text", label: "Text", content: text },
      { id: "preview", label: "Preview", content: preview },
    ];
    // A new template begins with what it is for.
    const ordered =
      panels[0]?.id === "audience" ? [panels[0], ...all, ...panels.slice(1)] : [...all, ...panels];
    return <PanelTabs panels={ordered} label="Template" fill={false} {...tabs} />;
  }
  if (layout.columns === 2) {
    const all = [{ id: "preview", label: "Preview", content: preview }, ...panels];
    return (
      <div className="flex min-h-0 flex-1">
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">{text}</div>
        <div className="w-4 shrink-0" />
        <div className="flex min-h-0 w-92 shrink-0 flex-col">
          <PanelTabs panels={all} label="Preview and settings" fill {...tabs} />
        </div>
      </div>
    );
  }
  return (
    <div className="flex min-h-0 flex-1">
      <div className="flex min-h-0 shrink-0 flex-col" style={{ width: widths.left }}>
        <PanelTabs panels={panels} label="Settings" fill {...tabs} />
      </div>
      <ColumnHandle
        label="Width of the settings"
        side="left"
        width={widths.left}
        min={232}
        max={480}
        onChange={(left) => remember({ ...widths, left })}
      />
      <div className="flex min-h-0 min-w-72 flex-1 flex-col">{text}</div>
      <ColumnHandle
        label="Width of the preview"
        side="right"
        width={widths.right}
        min={304}
        max={640}
        onChange={(right) => remember({ ...widths, right })}
      />
      <div className="min-h-0 shrink-0 overflow-y-auto" style={{ width: widths.right }}>
        {preview}
      </div>
    </div>
  );
}
