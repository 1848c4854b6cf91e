"use client";

import { useImperativeHandle, useRef } from "react";
import { Button } from "../ui/button.tsx";
import { cn } from "../ui/cn.ts";
import { inputStyle } from "../ui/input.tsx";
import type { LiquidEditorProps } from "./liquid-editor.tsx";

/** The text in a plain field: everything can be written and saved, only without colours and completion. */
export function PlainView({
  value,
  onChange,
  ariaLabel,
  ariaDescribedBy,
  height,
  readOnly,
  onRetry,
  ref,
}: LiquidEditorProps & { onRetry: () => void }) {
  const field = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(ref, () => {
    const edit = (start: number, end: number, text: string) =>
      onChange(value.slice(0, start) + text + value.slice(end));
    const reveal = (start: number, end: number) => {
      field.current?.focus();
      field.current?.setSelectionRange(start, end);
    };
    return {
      insert: (text) => {
        const { selectionStart, selectionEnd } = field.current ?? {};
        edit(selectionStart ?? value.length, selectionEnd ?? value.length, text);
      },
      replaceAll: onChange,
      applyEdit: edit,
      text: () => value,
      cursor: () => field.current?.selectionEnd ?? value.length,
      reveal,
      goTo: (line, column) => {
        const before = value
          .split("\n")
          .slice(0, line - 1)
          .join("\n").length;
        const at = before + (line > 1 ? 1 : 0) + column - 1;
        reveal(at, at);
      },
      focus: () => field.current?.focus(),
    };
  }, [value, onChange]);

  return (
    <div className="flex flex-col gap-2" style={{ height }}>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-md bg-warning-soft px-3 py-1.5 text-xs text-warning-text">
        The editor couldn't be loaded. This field works without colours and completion.
        <Button size="sm" onClick={onRetry}>
          Load the editor
        </Button>
      </p>
      <textarea
        ref={field}
        aria-label={ariaLabel}
        aria-describedby={ariaDescribedBy}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        readOnly={readOnly}
        spellCheck={false}
        className={cn(inputStyle, "min-h-0 flex-1 resize-none px-3 py-2 font-mono text-lg sm:text-sm")}
      />
    </div>
  );
}
