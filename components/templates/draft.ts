import type { Template } from "../../server/templates/schemas.ts";

export type DraftVariable = {
  name: string;
  type: Template["variables"][number]["type"];
  required: boolean;
  example: string;
  /** In characters; empty: any length. */
  maxLength: string;
  /** What an enum may be, one a line. */
  values: string;
};

/** What the channel wants to know beside the text, in the shape of the wire; empty texts and lists mean "not said". */
export type DraftMetadata = Record<string, unknown>;

/** What AI wrote into a draft, and with which model: what is saved says so. */
export type DraftProvenance = {
  kind: "ai_drafted" | "ai_edited";
  model: string | null;
  /** As AI wrote it: a person who changes that has edited it. */
  subject: string;
  body: string;
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
  /** Adapter that the text is for; empty: any. */
  provider: string;
  subject: string;
  body: string;
  metadata: DraftMetadata;
  variables: DraftVariable[];
  note: string;
  /** Null: people wrote it. */
  provenance: DraftProvenance | null;
};

export const emptyVariable: DraftVariable = {
  name: "",
  type: "string",
  required: true,
  example: "",
  maxLength: "",
  values: "",
};

export function emptyDraft(application: string, kind: string): Draft {
  return {
    application,
    name: "",
    channel: "email",
    kind,
    region: "",
    language: "",
    provider: "",
    subject: "",
    body: "",
    metadata: {},
    variables: [],
    note: "",
    provenance: null,
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
    provider: template.provider ?? "",
    subject: template.subject ?? "",
    body: template.body,
    metadata: knownMembers(template.channel, template.metadata),
    variables: template.variables.map((variable) => ({
      name: variable.name,
      type: variable.type,
      required: variable.required,
      example: variable.example ?? "",
      maxLength: variable.maxLength === undefined ? "" : String(variable.maxLength),
      values: (variable.values ?? []).join("\n"),
    })),
    note: "",
    provenance: null,
  };
}

/** Members of each channel's metadata that a person writes; the state of a WhatsApp approval is not among them. */
const metadataMembers: Record<Draft["channel"], readonly string[]> = {
  sms: ["senderId", "encoding"],
  email: ["format", "from", "fromName", "replyTo", "preheader", "text", "attachments"],
  whatsapp: ["templateName", "category", "language", "parameters", "header", "footer", "buttons"],
};

function knownMembers(channel: Draft["channel"], metadata: DraftMetadata): DraftMetadata {
  return Object.fromEntries(
    metadataMembers[channel].flatMap((key) => (key in metadata ? [[key, metadata[key]]] : [])),
  );
}

function isSaid(value: unknown): boolean {
  return (
    value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0)
  );
}

/** The metadata that a draft means: of its own channel only, so that trying another channel loses nothing. */
export function metadataOf(draft: Draft): DraftMetadata {
  const own = Object.entries(knownMembers(draft.channel, draft.metadata));
  return Object.fromEntries(own.filter(([, value]) => isSaid(value)));
}

/** The declarations that a draft means. */
export function declarationsOf(draft: Draft) {
  return draft.variables.map((variable) => ({
    name: variable.name.trim(),
    type: variable.type,
    required: variable.required,
    example: variable.example === "" ? undefined : variable.example,
    maxLength: variable.maxLength === "" ? undefined : Number(variable.maxLength),
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
export function contentOf(draft: Draft) {
  return {
    subject: draft.channel === "email" ? draft.subject : null,
    body: draft.body,
    metadata: metadataOf(draft),
    variables: declarationsOf(draft),
  };
}

/** Who wrote a draft, as a save says it; undefined when people did. */
export function provenanceOf(draft: Draft): { kind: DraftProvenance["kind"]; model?: string } | undefined {
  const { provenance } = draft;
  if (!provenance) return undefined;
  const untouched = draft.body === provenance.body && draft.subject === provenance.subject;
  return {
    kind: untouched ? provenance.kind : "ai_edited",
    ...(provenance.model === null ? {} : { model: provenance.model }),
  };
}

/** What an empty MJML mail begins with. */
export const mjmlStart = `<mjml>
  <mj-body>
    <mj-section>
      <mj-column>
        <mj-text>Hello</mj-text>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>
`;
