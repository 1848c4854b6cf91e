/** A version's settings and declarations as lines that people can compare. */
import { humanize } from "../../ui/format.ts";

/** The parts of a version that a comparison shows. */
export type ComparedContent = {
  subject: string | null;
  body: string;
  metadata: Record<string, unknown>;
  variables: readonly ComparedVariable[];
};

type ComparedVariable = {
  name: string;
  type: string;
  required: boolean;
  example?: string | undefined;
  maxLength?: number | undefined;
  values?: readonly string[] | undefined;
};

const labels: Record<string, string> = {
  senderId: "Sender ID",
  encoding: "Encoding",
  format: "Written in",
  from: "From",
  fromName: "Sender name",
  replyTo: "Reply to",
  preheader: "Preheader",
  text: "Plain text",
  attachments: "Attachment",
  templateName: "Approved template",
  category: "Category",
  language: "Language of the approved template",
  parameters: "Parameter",
  header: "Header",
  footer: "Footer",
  buttons: "Button",
};

/** Kept with the metadata, but says how a version fares at the provider, not what it contains. */
const notContent = new Set(["approvalStatus", "rejectionReason"]);

/** One line a setting, in the order that forms show them. */
export function metadataText(metadata: Readonly<Record<string, unknown>>): string {
  const known = Object.keys(labels);
  const rank = (key: string) => (known.includes(key) ? known.indexOf(key) : known.length);
  return Object.entries(metadata)
    .filter(([key, value]) => !notContent.has(key) && value !== null && value !== undefined && value !== "")
    .toSorted(([a], [b]) => rank(a) - rank(b) || a.localeCompare(b, "en"))
    .flatMap(([key, value]) => {
      const label = labels[key] ?? humanize(key);
      if (Array.isArray(value))
        return value.map((each, index) => `${label} ${String(index + 1)}: ${valueText(each)}`);
      return `${label}: ${valueText(value)}`;
    })
    .join("\n");
}

function valueText(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const { type, text, filename, url, phone, payload, ...rest } = value as Record<string, unknown>;
  const parts = [
    typeof type === "string" ? humanize(type).toLowerCase() : null,
    typeof filename === "string" ? filename : null,
    typeof text === "string" ? `“${text}”` : null,
    ...[url, phone, payload].map((each) => (typeof each === "string" ? each : null)),
    Object.keys(rest).length > 0 ? JSON.stringify(rest) : null,
  ];
  return parts.filter((part) => part !== null).join(", ");
}

/** One line a declaration, in the order of the version. */
export function variablesText(variables: readonly ComparedVariable[]): string {
  return variables
    .map((variable) =>
      [
        `${variable.name}: ${variable.type === "string" ? "text" : variable.type}`,
        variable.required ? "required" : "optional",
        variable.maxLength === undefined ? null : `at most ${String(variable.maxLength)} characters`,
        variable.values ? `one of ${variable.values.join(" | ")}` : null,
        variable.example === undefined ? null : `example “${variable.example}”`,
      ]
        .filter((part) => part !== null)
        .join(", "),
    )
    .join("\n");
}
