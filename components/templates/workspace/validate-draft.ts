import {
  metadataSchemas,
  templateContentSchema,
  templateCreateSchema,
} from "../../../server/templates/schemas.ts";
import { contentOf, type Draft } from "../draft.ts";
import { missingValue } from "../../ui/form-complaints.ts";
import { numberFormat } from "../../ui/intl.ts";

/** What is wrong with a member of a draft, by JSON pointer: `/variables/0/name`, `/metadata/from`. */
export type FieldProblems = Readonly<Record<string, string>>;

const contentSchema = templateContentSchema.pick({ subject: true, body: true, variables: true, note: true });
const audienceSchema = templateCreateSchema.pick({
  application: true,
  name: true,
  channel: true,
  notificationType: true,
  notificationSubtype: true,
  region: true,
  language: true,
  provider: true,
});

type Issue = { path: readonly PropertyKey[]; message: string };

/**
 * What the server would refuse without having read the texts, said before anything is sent: so each complaint stands at
 * its field, and a text of a megabyte never leaves the page. `isNew` looks at what the template is for as well.
 */
export function validateDraft(draft: Draft, isNew: boolean): FieldProblems {
  const { metadata, ...content } = contentOf(draft);
  const note = draft.note.trim() === "" ? null : draft.note.trim();
  const issues: Issue[] = [
    ...(isNew ? (audienceSchema.safeParse(audienceOf(draft)).error?.issues ?? []) : []),
    ...(contentSchema.safeParse({ ...content, note }).error?.issues ?? []),
    ...(metadataSchemas[draft.channel].safeParse(metadata).error?.issues ?? []).map((issue) => ({
      path: ["metadata", ...issue.path],
      message: issue.message,
    })),
  ];
  const problems: Record<string, string> = {};
  for (const { path, message } of issues) {
    const pointer = path.map((part) => `/${String(part)}`).join("");
    problems[pointer] ??= inWords(pointer, message, draft);
  }
  // One field on the page.
  if (problems["/notificationType"]) delete problems["/notificationSubtype"];
  return problems;
}

/** The draft without the settings and facts of variables that would have its preview refused as a whole. */
export function previewable(draft: Draft, problems: FieldProblems): Draft {
  const pointers = Object.keys(problems);
  const wrong = (start: string) =>
    pointers.some((pointer) => pointer === start || pointer.startsWith(`${start}/`));
  if (!wrong("/metadata") && !wrong("/variables")) return draft;
  return {
    ...draft,
    metadata: Object.fromEntries(
      Object.entries(draft.metadata).filter(([member]) => !wrong(`/metadata/${member}`)),
    ),
    variables: draft.variables.map((variable, index) => ({
      ...variable,
      ...(wrong(`/variables/${index}/example`) ? { example: "" } : {}),
      ...(wrong(`/variables/${index}/maxLength`) ? { maxLength: "" } : {}),
      ...(wrong(`/variables/${index}/values`) ? { type: "string" as const, values: "" } : {}),
    })),
  };
}

/** What a new template is for, as the wire has it. */
export function audienceOf(draft: Draft) {
  const [notificationType = "", notificationSubtype = ""] = draft.kind.split("/");
  return {
    application: draft.application,
    name: draft.name.trim(),
    channel: draft.channel,
    notificationType,
    notificationSubtype,
    region: draft.region || null,
    language: draft.language || null,
    provider: draft.provider || null,
  };
}

const missing = {
  body: "Write a text.",
  subject: "An e-mail needs a subject.",
  name: "Give it a name.",
  kind: "Choose what it is about.",
  variable: "Give it a name, or remove it.",
  values: "Enter the values, one per line.",
  other: missingValue,
};
const missingTexts = new Set<string>(Object.values(missing));

/** Whether a complaint only says that something is not there yet. */
export function isMissing(detail: string): boolean {
  return missingTexts.has(detail);
}

/** The most common complaints as a person would say them. */
function inWords(pointer: string, message: string, draft: Draft): string {
  if (pointer === "/body") {
    const bytes = new TextEncoder().encode(draft.body).length;
    if (bytes > 0 && message.includes("256 KiB"))
      return `The text has ${numberFormat().format(Math.ceil(bytes / 1024))} KiB; at most 256 KiB can be saved. Nothing is lost: shorten it here.`;
    return missing.body;
  }
  if (pointer === "/subject" && draft.subject === "") return missing.subject;
  if (pointer === "/name" && draft.name.trim() === "") return missing.name;
  if (pointer === "/notificationType" || pointer === "/notificationSubtype") return missing.kind;
  if (/^\/variables\/\d+\/name$/.test(pointer)) {
    const name = draft.variables[Number(pointer.split("/")[2])]?.name.trim();
    if (name === "") return missing.variable;
  }
  if (/^\/variables\/\d+\/values$/.test(pointer)) return missing.values;
  if (message.startsWith("Too small") || message.startsWith("Invalid input")) return missing.other;
  return message;
}
