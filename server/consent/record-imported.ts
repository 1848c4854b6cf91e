import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { namesBeside } from "./address-links.ts";
import { insertEntries, insertImported } from "./queries.ts";
import type { NewEntry } from "./queries.ts";
import { copiesOf } from "./write-entries.ts";

/** What a row of a file says. `at` null: it does not say when. */
export type ImportedConsent = Pick<
  NewEntry,
  "channel" | "address" | "region" | "class" | "state" | "evidence"
> & { at: Date | null };

/**
 * Records rows of a file, at most 1,000, in the caller's transaction; with `dry`, says only what would come of them. What the
 * ledger says already is not recorded again: an entry of the same moment, and without a moment what the recipient said last. As
 * everywhere, it is written for those that are linked to an address, too; webhook endpoints are not told of each entry. Who may do so
 * is the caller's to ask.
 */
export async function recordImportedConsents(
  ctx: Ctx,
  tx: Tx,
  input: { sandbox: boolean; dry: boolean; consents: readonly ImportedConsent[] },
): Promise<("recorded" | "known")[]> {
  const now = ctx.now();
  const seen = new Set<string>();
  const entries = input.consents.map(({ at, ...consent }) => ({
    ...consent,
    id: newId(),
    source: "import" as const,
    at: at ?? now,
    dated: at !== null,
  }));
  const fresh = entries.filter(({ channel, address, region, class: of, state, at }) => {
    const same = JSON.stringify([channel, address, region, of, state, at]);
    return !seen.has(same) && seen.add(same);
  });
  const onWhatsapp = fresh.flatMap(({ channel, address }) => (channel === "whatsapp" ? [address] : []));
  const beside = input.dry
    ? new Map<string, string[]>()
    : await namesBeside(tx, ctx.tenantId, input.sandbox, onWhatsapp);
  const recorded = await insertImported(tx, ctx.tenantId, input.sandbox, fresh, input.dry);
  const copies = copiesOf(
    fresh.flatMap(({ dated: _dated, ...entry }) => (recorded.has(entry.id) ? [entry] : [])),
    beside,
  );
  if (copies.length > 0) await insertEntries(tx, ctx.tenantId, input.sandbox, copies);
  return entries.map(({ id }) => (recorded.has(id) ? "recorded" : "known"));
}
