import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { namesBeside } from "./address-links.ts";
import { insertEntries } from "./queries.ts";
import type { NewEntry } from "./queries.ts";
import { tellConsents } from "./tell-consents.ts";

/**
 * Adds entries to the ledger in the caller's transaction and tells webhook endpoints. What somebody says under one of their
 * addresses is written for those that are linked to it, too, as said at the same moment. What became of each entry, in their order;
 * of files record-imported.ts writes them, and nothing else in the product does.
 */
export async function writeEntries(
  ctx: Ctx,
  tx: Tx,
  sandbox: boolean,
  entries: readonly NewEntry[],
  { tell = true }: { tell?: boolean } = {},
): Promise<("recorded" | "known" | "other")[]> {
  if (entries.length === 0) return [];
  const { tenantId } = ctx;
  const onWhatsapp = entries.flatMap(({ channel, address }) => (channel === "whatsapp" ? [address] : []));
  const beside = await namesBeside(tx, tenantId, sandbox, onWhatsapp);
  const outcomes = await insertEntries(tx, tenantId, sandbox, entries);
  const recorded = entries.filter((_, index) => outcomes[index] === "recorded");
  const copies = copiesOf(recorded, beside);
  if (copies.length > 0) await insertEntries(tx, tenantId, sandbox, copies);
  if (tell) await tellConsents(ctx, tx, sandbox, [...recorded, ...copies]);
  return outcomes;
}

/** The same for the other names of those who said it; `beside` as namesBeside() answers. */
export function copiesOf(
  entries: readonly NewEntry[],
  beside: ReadonlyMap<string, readonly string[]>,
): NewEntry[] {
  return entries.flatMap((entry) =>
    entry.channel !== "whatsapp" ? [] : (beside.get(entry.address) ?? []).map((name) => copyFor(name, entry)),
  );
}

function copyFor(
  name: string,
  { channel, region, class: of, state, source, at, address, evidence }: NewEntry,
): NewEntry {
  const known = { linkedFrom: address, ...evidence };
  return { id: newId(), channel, region, class: of, state, source, at, address: name, evidence: known };
}
