import type { Finding } from "../../server/content-checks/schemas.ts";

export type Place = { start: number; end: number };

/** A finding, and the text that it was found in, if that is known. */
export type EditorFinding = Finding & { checkedText?: string };

/**
 * Where a finding stands in the text as it is now, in UTF-16 code units. The text may have moved since it was checked:
 * then the occurrence nearest to the old place counts. Null when it is gone. Excerpts are shortened where they quote a
 * secret, so the place in the checked text is the better witness.
 */
export function locateFinding(
  finding: Pick<EditorFinding, "start" | "end" | "excerpt" | "checkedText">,
  text: string,
): Place | null {
  const { start, end, excerpt, checkedText: checked } = finding;
  const witness = checked !== undefined && end <= checked.length ? checked.slice(start, end) : excerpt;
  if (witness === "" || end <= start) return null;
  if (text.slice(start, end) === witness) return { start, end };
  // Without the checked text a shortened excerpt cannot be compared; its place is all there is.
  if (checked === undefined && witness.length !== end - start)
    return end <= text.length ? { start, end } : null;
  const after = text.indexOf(witness, start);
  const before = text.lastIndexOf(witness, start);
  if (after < 0 && before < 0) return null;
  const nearest = after < 0 ? before : before < 0 ? after : after - start < start - before ? after : before;
  return { start: nearest, end: nearest + witness.length };
}
