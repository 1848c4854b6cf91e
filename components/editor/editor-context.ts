import type { Draft } from "../templates/draft.ts";
import type { EditorFinding } from "./locate-finding.ts";
import type { TextModel } from "./monaco-types.ts";

/** What is known of the text in a model beside its characters. */
export type EditorContext = {
  variables: Draft["variables"];
  findings: readonly EditorFinding[];
};

const contexts = new Map<string, EditorContext>();

/** Completion and hover are registered once a page; this tells them about the one text they are asked for. */
export function setContext(model: TextModel, context: EditorContext): void {
  contexts.set(model.uri.toString(), context);
}

export function contextOf(model: TextModel): EditorContext {
  return contexts.get(model.uri.toString()) ?? { variables: [], findings: [] };
}

export function forgetContext(model: TextModel): void {
  contexts.delete(model.uri.toString());
}
