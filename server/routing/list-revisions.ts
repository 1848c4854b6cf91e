import type { Ctx } from "../kernel/ctx.ts";
import { encodeCursor } from "../kernel/cursor.ts";
import { DomainError } from "../kernel/errors.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { selectRevisions } from "./queries.ts";
import { reachEnvironment, seesRule } from "./rule-access.ts";
import { differencesOf, parseSnapshot, summaryOf } from "./rule-set.ts";
import type { RevisionList } from "./schemas.ts";
import { wordingFor } from "./wording.ts";

/** A revision with more changes is not listed rule by rule. */
const maxDifferences = 100;

/**
 * The history of an environment's rules, newest first, each revision with its changes. Callers who see only some of the
 * rules get only their changes, without revisions that did not affect them; a page may then hold fewer than `limit`.
 */
export async function listRevisions(
  ctx: Ctx,
  input: { environmentId: string; limit: number; cursor?: string | undefined },
): Promise<RevisionList> {
  const catalogue = await getCatalogue(ctx);
  reachEnvironment(ctx, catalogue, input.environmentId, "providers:read");
  const [rows, newest] = await Promise.all([
    selectRevisions(ctx, input.environmentId, decodeNumber(input.cursor), input.limit + 1),
    selectRevisions(ctx, input.environmentId, undefined, 1),
  ]);
  const sees = (rule: { applicationId: string | null }) =>
    seesRule(ctx, catalogue, input.environmentId, rule);
  const parsed = rows.map((row) => {
    const all = parseSnapshot(row.rules);
    const visible = all.filter(sees);
    return { row, rules: visible, whole: visible.length === all.length };
  });
  const wording = wordingFor(catalogue);
  const data = parsed.slice(0, input.limit).flatMap(({ row, rules, whole }, index) => {
    const before = parsed[index + 1];
    // Nothing came before the first recorded one.
    const differences = before ? differencesOf(before.rules, rules, wording) : [];
    const seesAll = whole && (before?.whole ?? true);
    if (!seesAll && differences.length === 0 && row.number > 0) return [];
    return [
      {
        number: row.number,
        at: row.at.toISOString(),
        by: { type: row.actorType, name: row.actorName },
        // The stored line may name what this caller may not see.
        summary: seesAll || row.number === 0 ? row.summary : summaryOf(differences),
        note: seesAll ? row.note : null,
        rules: rules.length,
        differences: differences.slice(0, maxDifferences),
        moreDifferences: Math.max(0, differences.length - maxDifferences),
      },
    ];
  });
  const last = parsed.slice(0, input.limit).at(-1);
  return {
    current: newest[0]?.number ?? 0,
    data,
    nextCursor: rows.length > input.limit && last ? encodeCursor(String(last.row.number)) : null,
  };
}

function decodeNumber(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  const text = Buffer.from(cursor, "base64url").toString();
  if (!/^\d{1,9}$/.test(text)) {
    throw new DomainError("invalid_cursor", "Pass nextCursor of the page before, unchanged.");
  }
  return Number(text);
}
