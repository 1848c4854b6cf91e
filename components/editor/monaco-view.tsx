"use client";

import { Editor } from "@monaco-editor/react";
import { useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from "react";
import { cn } from "../ui/cn.ts";
import { forgetContext, setContext } from "./editor-context.ts";
import type { LiquidEditorHandle, LiquidEditorProps } from "./liquid-editor.tsx";
import { languageId } from "./liquid-language.ts";
import { differenceOf } from "./difference.ts";
import { showMarkers } from "./markers.ts";
import { letTabLeave } from "./let-tab-leave.ts";
import { themeName } from "./editor-theme.ts";
import type { CodeEditor, EditorOptions, Monaco } from "./monaco-types.ts";

const none: readonly never[] = [];
/** Values that were told and not yet given back; more than React ever keeps waiting. */
const longestEcho = 50;

/**
 * Monaco holds the text while it is being written: `value` is only looked at when it is not an echo of what the editor
 * told itself, so a slow page never takes back a letter.
 */
export function MonacoView({
  monaco,
  value,
  onChange,
  language,
  variables,
  problems = none,
  findings = none,
  ariaLabel,
  ariaDescribedBy,
  onSave,
  height,
  readOnly = false,
  ref,
}: LiquidEditorProps & { monaco: Monaco }) {
  const [editor, setEditor] = useState<CodeEditor | null>(null);
  const echo = useRef<string[]>([]);
  const fromOutside = useRef(false);
  const takingOver = useRef(false);
  const tell = useEffectEvent((text: string) => {
    fromOutside.current = false;
    echo.current = [...echo.current.slice(-longestEcho), text];
    onChange(text);
  });
  const save = useEffectEvent(() => onSave?.());
  const [firstValue] = useState(value);
  const [options] = useState(editorOptions);

  useEffect(() => {
    const model = editor?.getModel();
    if (!editor || !model) return;
    // On Windows an empty model would take CRLF: texts have their own line ends everywhere, and offsets are of them.
    if (!model.getValue().includes("\r\n")) {
      takingOver.current = true;
      model.setEOL(monaco.editor.EndOfLineSequence.LF);
      takingOver.current = false;
    }
    const listeners = [
      // What came from outside is known there, and may be older by now than what is.
      editor.onDidChangeModelContent(() => {
        if (!takingOver.current) tell(editor.getValue());
      }),
      editor.onKeyDown((event) => {
        if (event.keyCode !== monaco.KeyCode.KeyS || !(event.ctrlKey || event.metaKey) || event.altKey)
          return;
        // The page binds the same key; it must not save twice.
        event.preventDefault();
        event.stopPropagation();
        save();
      }),
    ];
    letTabLeave(monaco, editor);
    return () => {
      for (const listener of listeners) listener.dispose();
      forgetContext(model);
    };
  }, [monaco, editor]);

  useEffect(() => {
    const model = editor?.getModel();
    if (!editor || !model) return;
    const at = echo.current.indexOf(value);
    if (at >= 0) {
      echo.current = echo.current.slice(at + 1);
      return;
    }
    const written = model.getValue();
    if (written === value) return;
    echo.current = [];
    // Text that streams in is one step back, however many pieces it comes in.
    if (!fromOutside.current) model.pushStackElement();
    const { start, end, text } = differenceOf(written, value);
    const range = monaco.Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end));
    // Through the model: the editor itself refuses edits while nobody may type.
    takingOver.current = true;
    model.pushEditOperations(null, [{ range, text }], () => null);
    takingOver.current = false;
    fromOutside.current = true;
  }, [monaco, editor, value]);

  useEffect(() => {
    editor?.updateOptions({ ariaLabel, readOnly, domReadOnly: readOnly });
    // Monaco makes its own field and knows no description.
    const field = editor?.getDomNode()?.querySelector("textarea");
    if (ariaDescribedBy) field?.setAttribute("aria-describedby", ariaDescribedBy);
  }, [editor, ariaLabel, ariaDescribedBy, readOnly]);

  useEffect(() => {
    const model = editor?.getModel();
    if (!model) return;
    setContext(model, { variables, findings });
  }, [editor, variables, findings]);

  useEffect(() => {
    const model = editor?.getModel();
    if (model) showMarkers(monaco, model, problems, findings);
  }, [monaco, editor, problems, findings]);

  useImperativeHandle<LiquidEditorHandle | null, LiquidEditorHandle | null>(ref, () => {
    const model = editor?.getModel();
    if (!editor || !model) return null;
    const rangeOf = (start: number, end: number) =>
      monaco.Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end));
    const show = (range: ReturnType<typeof rangeOf>) => {
      editor.setSelection(range);
      editor.revealRangeInCenterIfOutsideViewport(range);
      editor.focus();
    };
    return {
      insert: (text) => {
        replace(editor, editor.getSelection() ?? model.getFullModelRange(), text);
        editor.focus();
      },
      replaceAll: (text) => replace(editor, model.getFullModelRange(), text),
      applyEdit: (start, end, text) => replace(editor, rangeOf(start, end), text),
      text: () => model.getValue(),
      cursor: () =>
        model.getOffsetAt(
          editor.getSelection()?.getEndPosition() ?? model.getFullModelRange().getEndPosition(),
        ),
      reveal: (start, end) => show(rangeOf(start, end)),
      goTo: (line, column) =>
        show(monaco.Range.fromPositions(model.validatePosition({ lineNumber: line, column }))),
      focus: () => editor.focus(),
    };
  }, [monaco, editor]);

  return (
    <div
      className={cn(
        "relative min-h-0 overflow-hidden rounded-md border border-line-strong bg-surface focus-within:border-ring",
        readOnly && "bg-sunken",
      )}
      style={{ height }}
    >
      <Editor
        className="absolute inset-0"
        theme={themeName}
        language={languageId(language)}
        defaultValue={firstValue}
        options={options}
        saveViewState={false}
        loading={null}
        onMount={setEditor}
      />
    </div>
  );
}

function editorOptions(): EditorOptions {
  // Phones zoom into fields with smaller letters.
  const touch = window.matchMedia("(pointer: coarse)").matches;
  const narrow = window.matchMedia("(max-width: 40rem)").matches;
  return {
    // A field, not the browser's edit context: shortcuts of the page and tools know fields.
    editContext: false,
    fontFamily: getComputedStyle(document.documentElement).getPropertyValue("--font-mono") || "monospace",
    fontSize: touch ? 16 : 13,
    lineHeight: touch ? 24 : 20,
    lineNumbers: narrow ? "off" : "on",
    lineNumbersMinChars: 3,
    lineDecorationsWidth: narrow ? 6 : 10,
    folding: !narrow,
    wordWrap: "on",
    wrappingIndent: "same",
    minimap: { enabled: false },
    padding: { top: 8, bottom: 8 },
    scrollBeyondLastLine: false,
    overviewRulerLanes: narrow ? 0 : 2,
    renderLineHighlight: "line",
    renderLineHighlightOnlyWhenFocus: true,
    bracketPairColorization: { enabled: false },
    guides: { indentation: true },
    fixedOverflowWidgets: true,
    tabSize: 2,
    quickSuggestions: { other: true, comments: false, strings: true },
    wordBasedSuggestions: "off",
    suggest: { showWords: false, showStatusBar: false },
    scrollbar: { alwaysConsumeMouseWheel: false, verticalScrollbarSize: 10, horizontalScrollbarSize: 10 },
    contextmenu: false,
    unusualLineTerminators: "off",
    stickyScroll: { enabled: false },
    accessibilityPageSize: 50,
  };
}

/** One step that can be undone. */
function replace(editor: CodeEditor, range: Parameters<CodeEditor["revealRange"]>[0], text: string): void {
  editor.pushUndoStop();
  editor.executeEdits("tidings", [{ range, text, forceMoveMarkers: true }]);
  editor.pushUndoStop();
}
