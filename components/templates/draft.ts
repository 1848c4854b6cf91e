import type { Template } from "../../server/templates/schemas.ts";

export type DraftVariable = {
  name: string;
  type: Template["variables"][number]["type"];
  required: boolean;
  example: string;
  /** What an enum may be, one a line. */
  values: string;
};

/** A template as it is being written. Everything is text until it is saved. */
export type Draft = {
  application: string;
  name: string;
  channel: Template["channel"];
  /** `type/subtype` */
  kind: string;
  region: string;
  language: string;
  subject: string;
  body: string;
  variables: DraftVariable[];
  note: string;
};

export function emptyDraft(application: string, kind: string): Draft {
  return {
    application,
    name: "",
    channel: "email",
    kind,
    region: "",
    language: "",
    subject: "",
    body: "",
    variables: [],
    note: "",
  };
}

export function draftOf(template: Template): Draft {
  return {
    application: template.application,
    name: template.name,
    channel: template.channel,
    kind: `${template.notificationType}/${template.notificationSubtype}`,
    region: template.region ?? "",
    language: template.language ?? "",
    subject: template.subject ?? "",
    body: template.body,
    variables: template.variables.map((variable) => ({
      name: variable.name,
      type: variable.type,
      required: variable.required,
      example: variable.example ?? "",
      values: (variable.values ?? []).join("\n"),
    })),
    note: "",
  };
}

/** The declarations that a draft means. `known` keeps what the form does not show, such as the longest length. */
export function declarationsOf(draft: Draft, known: Template["variables"] = []) {
  return draft.variables.map((variable) => ({
    ...known.find((each) => each.name === variable.name),
    name: variable.name.trim(),
    type: variable.type,
    required: variable.required,
    example: variable.example === "" ? undefined : variable.example,
    values:
      variable.type === "enum"
        ? variable.values
            .split("\n")
            .map((value) => value.trim())
            .filter((value) => value !== "")
        : undefined,
  }));
}

/** What a save or a preview is asked with. */
export function contentOf(draft: Draft, known?: Template) {
  return {
    subject: draft.channel === "email" ? draft.subject : null,
    body: draft.body,
    metadata: known?.metadata ?? {},
    variables: declarationsOf(draft, known?.variables),
  };
}

/** Names of variables that the texts use but nobody has declared: the first word of each `{{ … }}`. */
export function undeclared(draft: Draft): string[] {
  const used = [...`${draft.subject}\n${draft.body}`.matchAll(/\{\{-?\s*([A-Za-z][A-Za-z0-9_]*)/g)].flatMap(
    (match) => match[1] ?? [],
  );
  const declared = new Set(draft.variables.map((variable) => variable.name));
  return [...new Set(used)].filter((name) => !declared.has(name));
}
