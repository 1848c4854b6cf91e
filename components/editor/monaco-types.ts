import type * as monaco from "monaco-editor/editor/editor.api.js";

export type Monaco = typeof monaco;
export type CodeEditor = monaco.editor.IStandaloneCodeEditor;
export type EditorOptions = monaco.editor.IStandaloneEditorConstructionOptions;
export type TextModel = monaco.editor.ITextModel;
export type MarkerData = monaco.editor.IMarkerData;
export type Monarch = monaco.languages.IMonarchLanguage;
export type CompletionItem = monaco.languages.CompletionItem;
