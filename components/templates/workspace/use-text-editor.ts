"use client";

import { useCallback, useRef, useState } from "react";
import type { LiquidEditorHandle } from "../../editor/liquid-editor.tsx";
import type { TextPart } from "./text-panel.tsx";

type Action = (editor: LiquidEditorHandle) => void;

/** The editor on the page, whichever text is in it: what is asked of a text that is not shown waits until it is. */
export function useTextEditor() {
  const [part, setPart] = useState<TextPart>("/body");
  const editor = useRef<LiquidEditorHandle | null>(null);
  const waiting = useRef<Action | null>(null);
  const current = useRef<TextPart>("/body");

  const attach = useCallback((handle: LiquidEditorHandle | null) => {
    editor.current = handle;
    if (!handle || !waiting.current) return;
    const action = waiting.current;
    waiting.current = null;
    action(handle);
  }, []);

  const open = useCallback((next: TextPart) => {
    if (current.current === next) return;
    current.current = next;
    editor.current = null;
    setPart(next);
  }, []);

  const withEditor = useCallback(
    (next: TextPart, action: Action) => {
      open(next);
      if (editor.current) action(editor.current);
      else waiting.current = action;
    },
    [open],
  );
  return { part, open, attach, withEditor };
}

export function isTextPart(pointer: string): pointer is TextPart {
  return pointer === "/body" || pointer === "/metadata/text";
}
