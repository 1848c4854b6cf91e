import type { ImportView } from "../../server/imports/schemas.ts";
import type { BadgeTone } from "../ui/badge.tsx";
import { plural } from "../ui/format.ts";
import { numberFormat } from "../ui/intl.ts";

interface KindWords {
  label: string;
  rows: string;
  says: string;
  /** The page that lists them. */
  path: string;
}
export const kindWords: Record<ImportView["kind"], KindWords> = {
  consent: {
    label: "Consent",
    rows: "entries",
    says: "Opt-outs, and opt-ins with evidence",
    path: "/consent",
  },
  contacts: {
    label: "Contacts",
    rows: "contacts",
    says: "People, their addresses and attributes",
    path: "/contacts",
  },
  suppressions: {
    label: "Suppressions",
    rows: "suppressions",
    says: "Addresses that nothing is sent to",
    path: "/suppressions",
  },
};

export const stateWords: Record<ImportView["state"], { label: string; tone: BadgeTone }> = {
  uploading: { label: "Upload incomplete", tone: "warning" },
  mapping: { label: "Columns not assigned", tone: "accent" },
  checking: { label: "Checking", tone: "info" },
  checked: { label: "Checked", tone: "accent" },
  running: { label: "Importing", tone: "info" },
  finished: { label: "Completed", tone: "success" },
  canceled: { label: "Canceled", tone: "neutral" },
  failed: { label: "Failed", tone: "danger" },
};

/** What a column may become. */
export const targetWords: Record<string, string> = {
  address: "Address",
  channel: "Channel",
  state: "Opt-in or opt-out",
  class: "Class",
  region: "Region",
  at: "Time",
  evidence: "Evidence",
  reason: "Reason",
  expiresAt: "Until",
  note: "Note",
  "address:sms": "SMS number",
  "address:email": "E-mail address",
  "address:whatsapp": "WhatsApp number",
  externalId: "External ID",
  name: "Name",
  language: "Language",
  timeZone: "Time zone",
  attributes: "Attributes, as JSON",
};

const encodings: Record<string, string> = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16",
  "utf-16be": "UTF-16",
  "windows-1252": "Windows-1252",
};
export const encodingName = (encoding: string) => encodings[encoding] ?? encoding;

const delimiters: Record<string, string> = { ",": "comma", ";": "semicolon", "\t": "tab" };
export const delimiterName = (delimiter: string) => delimiters[delimiter] ?? delimiter;

/** 1,234,567 bytes → "1.2 MB". */
export function fileSize(bytes: number): string {
  const [value, unit] =
    bytes < 1_000
      ? [bytes, "byte"]
      : bytes < 1_000_000
        ? [bytes / 1_000, "kilobyte"]
        : [bytes / 1_000_000, "megabyte"];
  if (unit === "byte") return plural(value, "byte");
  return numberFormat({
    style: "unit",
    unit,
    unitDisplay: "short",
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value);
}
