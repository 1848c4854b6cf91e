import type { ConsentItem } from "../../../server/consent/schemas.ts";
import type { ContactRow } from "../../../server/contacts/schemas.ts";
import type { FileTemplate } from "../../../server/template-files/files.ts";

/** What was found at the other service, as Tidings takes it, and what has no counterpart. */
export interface Found {
  templates: FileTemplate[];
  contacts: ContactRow[];
  consents: ConsentItem[];
  /** Never dropped silently: each is told with the reason. */
  unmapped: Unmapped[];
}

export interface Unmapped {
  /** Such as "workflow order-shipped, step push". */
  what: string;
  why: string;
}

/** Which notification type a template belongs to, by the other service's name of it. */
export interface TypeMap {
  of(name: string): { notificationType: string; notificationSubtype: string } | null;
}

/** The most of each kind that one run reads. */
export const importBounds = {
  pages: 2_000,
  rows: 200_000,
  /** Bytes of one answer or file. */
  bytes: 32 * 1_048_576,
  /** Of one call to the other service, ms. */
  callMs: 30_000,
  /** Of the whole run, ms. */
  runMs: 6 * 3_600_000,
} as const;

/** A name that a template's folder may have. */
export function templateName(text: string): string {
  const name = text
    .trim()
    .replaceAll(/[^A-Za-z0-9._-]+/g, "-")
    .slice(0, 64);
  return trimEnds(name) || "template";
}

function trimEnds(text: string): string {
  let from = 0;
  let to = text.length;
  const isEnd = (at: number) => "._-".includes(text.charAt(at));
  while (from < to && isEnd(from)) from++;
  while (to > from && isEnd(to - 1)) to--;
  return text.slice(from, to);
}
