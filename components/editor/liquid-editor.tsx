"use client";

import type { Ref } from "react";
import type { PreviewProblem } from "../../server/templates/schemas.ts";
import type { Draft } from "../templates/draft.ts";
import type { LiquidLanguage } from "./liquid-language.ts";
import type { EditorFinding } from "./locate-finding.ts";
import { MonacoView } from "./monaco-view.tsx";
import { PlainView } from "./plain-view.tsx";
import { useMonaco } from "./use-monaco.ts";

/** What others may do to the text; each can be undone by whoever writes. Offsets are UTF-16 code units. */
export type LiquidEditorHandle = {
  /** In place of the selection. */
  insert: (text: string) => void;
  replaceAll: (text: string) => void;
  applyEdit: (start: number, end: number, text: string) => void;
  /** The text as it is now, which the other offsets are of, and where the cursor is in it: behind the selection. */
  text: () => string;
  cursor: () => number;
  /** Selects a range and shows it. */
  reveal: (start: number, end: number) => void;
  /** Puts the cursor at a line and column, both from 1. */
  goTo: (line: number, column: number) => void;
  focus: () => void;
};

export type LiquidEditorProps = {
  value: string;
  onChange: (value: string) => void;
  language: LiquidLanguage;
  variables: Draft["variables"];
  /** Of this text only: whoever knows several texts passes on those with its pointer. */
  problems?: readonly PreviewProblem[];
  findings?: readonly EditorFinding[];
  ariaLabel: string;
  ariaDescribedBy?: string;
  onSave?: () => void;
  /** CSS length; the skeleton and the plain field have it as well. */
  height?: string;
  readOnly?: boolean;
  /** Null until the text can be edited. */
  ref?: Ref<LiquidEditorHandle | null>;
};

/** A text with Liquid in it. Monaco comes when it is needed; a plain field stands in when it cannot. */
export function LiquidEditor({ height = "24rem", ...props }: LiquidEditorProps) {
  const loaded = useMonaco();
  if (loaded.state === "loading") return <TextToCome value={props.value} height={height} />;
  if (loaded.state === "failed") return <PlainView {...props} height={height} onRetry={loaded.retry} />;
  return <MonacoView {...props} height={height} monaco={loaded.monaco} />;
}

/** More than any window shows; in UTF-16 code units. */
const longestFirstLook = 10_000;

/** The text where the editor will show it, to be read until then. */
function TextToCome({ value, height }: { value: string; height: string }) {
  return (
    <div
      className="relative min-h-0 overflow-hidden rounded-md border border-line-strong bg-surface"
      style={{ height }}
    >
      <pre className="py-2 pr-3.5 pl-12 font-mono text-[13px]/5 wrap-anywhere whitespace-pre-wrap max-sm:pl-1.5">
        {value.slice(0, longestFirstLook)}
      </pre>
      <p role="status" className="absolute right-0 bottom-0 bg-surface px-3 py-2 text-xs text-ink-faint">
        Loading the editor…
      </p>
    </div>
  );
}
