import { readWhole } from "../ui/typed-number.ts";

/**
 * Forms from the JSON Schemas of an adapter's credentials and settings. What is typed is kept as text and switches; only
 * when it is sent does it take the schema's types.
 */

export interface FieldSchema {
  type?: string;
  title?: string;
  description?: string;
  multiline?: boolean;
  /** Where the provider's console shows the value: Console → Page → Field. */
  where?: string;
  /** A heading above this field and those that follow. */
  section?: string;
  enum?: readonly (string | number)[];
  /** What the values of `enum` are called; the others by themselves. */
  choices?: Readonly<Record<string, string>>;
  const?: string | number | boolean;
  default?: unknown;
  properties?: Record<string, FieldSchema>;
  required?: readonly string[];
  oneOf?: readonly FieldSchema[];
  anyOf?: readonly FieldSchema[];
  items?: FieldSchema;
  additionalProperties?: unknown;
  /** The parts of a form that is too long for one page, of a schema of settings. */
  steps?: readonly FormStep[];
  /** Providers whose settings are known. */
  presets?: readonly Preset[];
}

/** Names of the fields that a step asks for. */
export interface FormStep {
  title: string;
  hint: string;
  settings: readonly string[];
  credentials: readonly string[];
}

export interface Preset {
  name: string;
  /** What is left to do, in sentences. */
  steps: readonly string[];
  /** Where the values of secrets are found, by their names. */
  secrets: Readonly<Record<string, string>>;
  settings: Record<string, unknown>;
}

/** The step that asks for what a complaint is about, by its JSON pointer; -1: none does. */
export function stepOf(steps: readonly FormStep[], pointer: string): number {
  const [, part, name = ""] = pointer.split("/");
  return part === "settings" || part === "credentials"
    ? steps.findIndex((step) => step[part].includes(name))
    : -1;
}

export type FieldKind = "text" | "multiline" | "number" | "switch" | "choice" | "group" | "lines" | "json";

/** How a field is asked for; what no control fits is asked for as JSON. */
export function kindOf(schema: FieldSchema): FieldKind {
  if (schema.enum) return "choice";
  if (schema.type === "string") return schema.multiline ? "multiline" : "text";
  if (schema.type === "integer" || schema.type === "number") return "number";
  if (schema.type === "boolean") return "switch";
  if (schema.type === "object" && schema.properties) return "group";
  if (schema.type === "array" && schema.items?.type === "string") return "lines";
  return "json";
}

/** A typed tree: text for everything but switches and groups. */
export type Draft = { [name: string]: string | boolean | Draft };

/** Stored values as they are typed. */
export function draftOf(schema: FieldSchema, values: Record<string, unknown> = {}): Draft {
  const draft: Draft = {};
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const value = values[name] ?? field.default;
    if (value === undefined || value === null) continue;
    switch (kindOf(field)) {
      case "switch":
        draft[name] = value === true;
        break;
      case "group":
        draft[name] = draftOf(field, value as Record<string, unknown>);
        break;
      case "lines":
        draft[name] = (value as string[]).join("\n");
        break;
      case "json":
        draft[name] = JSON.stringify(value, null, 2);
        break;
      default:
        if (typeof value === "string" || typeof value === "number") draft[name] = String(value);
    }
  }
  return draft;
}

/** The alternatives of a schema that has several forms, each told apart by a constant member. */
export function alternativesOf(schema: FieldSchema): readonly FieldSchema[] {
  return schema.oneOf ?? schema.anyOf ?? [];
}

/** What is sent: the schema's types; a field left empty is not there. Throws SyntaxError for JSON that is none. */
export function valuesOf(schema: FieldSchema, draft: Draft): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const value = valueOf(field, draft[name]);
    if (value !== undefined) values[name] = value;
  }
  return values;
}

function valueOf(field: FieldSchema, typed: Draft[string] | undefined): unknown {
  if (field.const !== undefined) return field.const;
  if (typed === undefined) return undefined;
  if (typeof typed === "boolean") return typed;
  if (typeof typed === "object") {
    const group = valuesOf(field, typed);
    return Object.keys(group).length === 0 ? undefined : group;
  }
  if (typed.trim() === "") return undefined;
  switch (kindOf(field)) {
    case "number": {
      const number = readWhole(typed);
      return Number.isNaN(number) ? typed : number;
    }
    case "lines":
      return typed
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== "");
    case "json":
      return JSON.parse(typed) as unknown;
    case "multiline":
      return typed;
    default:
      return typed.trim();
  }
}

/** `values` as a change of what is stored: fields that are stored and not given any more are null, which removes them. */
export function withRemoved(
  values: Record<string, unknown>,
  stored: Record<string, unknown>,
): Record<string, unknown> {
  const removed = Object.keys(stored).filter((name) => !Object.hasOwn(values, name));
  return { ...Object.fromEntries(removed.map((name) => [name, null])), ...values };
}

/** Every field that holds JSON must be JSON: the pointers of those that are not. */
export function unreadableJson(schema: FieldSchema, draft: Draft, pointer: string): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const typed = draft[name];
    const at = `${pointer}/${name}`;
    if (typeof typed === "object") return unreadableJson(field, typed, at);
    if (kindOf(field) !== "json" || typeof typed !== "string" || typed.trim() === "") return [];
    try {
      JSON.parse(typed);
      return [];
    } catch {
      return [at];
    }
  });
}
