import { variableUses } from "../../editor/liquid-scan.ts";
import type { Draft } from "../draft.ts";

/** The text of a draft that a JSON pointer names, like `/body` or `/metadata/preheader`; null when there is none. */
export function textAt(draft: Draft, pointer: string): string | null {
  let value: unknown = draft;
  for (const part of pointer.split("/").slice(1)) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return null;
    value = (value as Record<string, unknown>)[part];
  }
  return typeof value === "string" ? value : null;
}

/** The change that puts a text where the pointer leads; nothing when no text is there. */
export function withTextAt(draft: Draft, pointer: string, text: string): Partial<Draft> {
  const [member, ...rest] = pointer.split("/").slice(1);
  if (member === undefined || textAt(draft, pointer) === null) return {};
  return { [member]: replaceIn(draft[member as keyof Draft], rest, text) };
}

function replaceIn(value: unknown, path: readonly string[], text: string): unknown {
  const [part, ...rest] = path;
  if (part === undefined) return text;
  if (Array.isArray(value)) {
    return value.map((each: unknown, index) => (String(index) === part ? replaceIn(each, rest, text) : each));
  }
  const object = value as Record<string, unknown>;
  return { ...object, [part]: replaceIn(object[part], rest, text) };
}

const names: Record<string, string> = {
  "/subject": "Subject",
  "/body": "Body",
  "/metadata/text": "Plain text",
  "/metadata/preheader": "Preheader",
  "/metadata/footer": "Footer",
};
const lists: Record<string, string> = {
  attachments: "Attachment",
  buttons: "Button",
  parameters: "Parameter",
};

/** What people call the text that a pointer names. */
export function partName(pointer: string): string {
  const known = names[pointer];
  if (known !== undefined) return known;
  const [first = "", second = "", index] = pointer.split("/").slice(1);
  if (first === "variables") return `Variable ${Number(second) + 1}`;
  if (index !== undefined && second in lists) return `${lists[second] ?? second} ${Number(index) + 1}`;
  const word = (first === "metadata" ? second : first).replaceAll(/([A-Z])/g, " $1").toLowerCase();
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** All texts of a draft in which Liquid may stand. */
export function liquidTexts({ channel, subject, body, metadata }: Draft): string[] {
  return [...(channel === "email" ? [subject] : []), body, ...textsIn(metadata)];
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** How the declarations and the texts of a draft miss each other. */
export function compareVariables(draft: Draft): { undeclared: string[]; unused: Set<string> } {
  const used = new Set(liquidTexts(draft).flatMap((text) => variableUses(text).map((use) => use.name)));
  const declared = new Set(draft.variables.map((variable) => variable.name.trim()));
  return {
    undeclared: [...used].filter((name) => !declared.has(name)),
    unused: new Set([...declared].filter((name) => !used.has(name))),
  };
}
