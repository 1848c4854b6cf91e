import { emptyDraft, type Draft } from "../draft.ts";

/** A draft as it is kept on this device until it is saved. */
export type StoredDraft = {
  draft: Draft;
  /** The version that the draft was made from; null for a new template. */
  baseVersion: number | null;
  /** When it was last written to, ISO 8601. */
  at: string;
};

/**
 * Of each person, organisation and template its own: devices are shared. New templates have one, and one for each text that
 * they are made from (`copiedFrom`), so that a variant never opens with what was begun of something else.
 */
export function draftKey(
  tenantId: string,
  userId: string,
  templateId: string | undefined,
  copiedFrom?: string,
): string {
  const own = templateId ?? (copiedFrom === undefined ? "new" : `from:${copiedFrom}`);
  return `tidings:draft:${tenantId}:${userId}:${own}`;
}

/** What is kept, in today's shape; null when nothing is, or nothing that can be read. */
export function parseStored(raw: string | null): StoredDraft | null {
  if (raw === null) return null;
  try {
    const { draft, baseVersion, at } = JSON.parse(raw) as Partial<StoredDraft>;
    if (typeof draft?.body !== "string" || typeof at !== "string" || Number.isNaN(Date.parse(at)))
      return null;
    return {
      draft: { ...emptyDraft("", ""), ...draft },
      baseVersion: typeof baseVersion === "number" ? baseVersion : null,
      at,
    };
  } catch {
    return null;
  }
}

export function readStored(key: string): StoredDraft | null {
  try {
    return parseStored(localStorage.getItem(key));
  } catch {
    return null;
  }
}

/** Whether it is kept: a full or forbidden storage refuses, and then only a save keeps the text. */
export function writeStored(key: string, stored: StoredDraft | null): boolean {
  try {
    if (stored === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(stored));
    return true;
  } catch {
    return stored === null;
  }
}

/** Whether two drafts would be saved as the same; long bodies are compared without copying them. */
export function sameDraft(one: Draft, other: Draft): boolean {
  return one.body === other.body && comparable(one) === comparable(other);
}

/** All but the body, its members in one order: metadata is written in the order of typing. */
function comparable(draft: Draft): string {
  const metadata = Object.entries(draft.metadata)
    .filter(([, value]) => value !== "" && value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify({ ...draft, body: "", metadata });
}
