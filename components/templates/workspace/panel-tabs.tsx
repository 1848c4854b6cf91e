"use client";

import type { ReactNode } from "react";
import { cn } from "../../ui/cn.ts";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../ui/tabs.tsx";

export type Panel = {
  id: string;
  label: string;
  /** How many fields in it are wrong. */
  wrong?: number;
  content: ReactNode;
};

/** Panels that share one place. Those that are not seen live on: a half-written text or a running answer stays. */
export function PanelTabs({
  panels,
  value,
  onValueChange,
  label,
  fill,
}: {
  panels: readonly Panel[];
  value: string;
  onValueChange: (id: string) => void;
  label: string;
  /** Panels scroll within the height that is left. */
  fill: boolean;
}) {
  const shown = panels.some((panel) => panel.id === value) ? value : (panels[0]?.id ?? "");
  return (
    <Tabs
      value={shown}
      onValueChange={onValueChange}
      className={cn("min-w-0", fill && "flex min-h-0 flex-1 flex-col")}
    >
      <TabsList aria-label={label} className="shrink-0 gap-4 overflow-y-hidden">
        {panels.map((panel) => (
          <TabsTrigger key={panel.id} value={panel.id} className="px-1 -outline-offset-2">
            {panel.label}
            {panel.wrong ? (
              <span className="ml-1 rounded-full bg-danger-soft px-1.5 text-2xs text-danger-text">
                {panel.wrong}
                <span className="sr-only"> to look at</span>
              </span>
            ) : null}
          </TabsTrigger>
        ))}
      </TabsList>
      {panels.map((panel) => (
        <TabsContent
          key={panel.id}
          value={panel.id}
          forceMount
          data-panel={panel.id}
          className={cn(
            "data-[state=inactive]:hidden",
            fill && "flex min-h-0 flex-1 flex-col overflow-y-auto pr-1 pb-2",
          )}
        >
          {panel.content}
        </TabsContent>
      ))}
    </Tabs>
  );
}
