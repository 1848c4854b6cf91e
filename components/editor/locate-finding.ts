import type { Finding } from "../../server/moderation/schemas.ts";

export type Place = { start: number; end: number };

/**
 * Where a finding stands in the text as it is now, in UTF-16 code units. The text may have moved since it was checked:
 * then the occurrence nearest to the old place counts. Null when it is gone. `checked` is the text that was checked, if
 * known: excerpts are shortened where they quote a secret, so the place in that text is the better witness.
 */
export function locateFinding(
  finding: Pick<Finding, "start" | "end" | "excerpt">,
  text: string,
  checked?: string,
): Place | null {
  const { start, end } = finding;
  const witness =
    checked !== undefined && end <= checked.length ? checked.slice(start, end) : finding.excerpt;
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
