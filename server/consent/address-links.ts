/**
 * Addresses that providers say are one person's: a WhatsApp number and the user ids that stand for it. What is recorded about one
 * of them is recorded for all (write-entries.ts, suppress-address.ts), so that whoever asks about one address need not know of the
 * others.
 */
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { presentNumber } from "../kernel/address.ts";
import { erasedText } from "../kernel/erased.ts";
import { isUserId } from "../kernel/user-id.ts";
import { addressToken, consentKey } from "./address-token.ts";
import {
  insertLinks,
  lockLinks,
  readLinked,
  selectLinked,
  selectUnknownLinks,
  selectWithLinked,
  trimLinks,
  unionOfNos,
} from "./link-queries.ts";
import type { Link } from "./link-queries.ts";

/** One person has few numbers and ids; of more, the newest links count. */
export const mostLinked = 12;

interface Names {
  sandbox: boolean;
  /** The number and the user ids, in any order. */
  names: readonly string[];
  /** Which adapter says so. */
  source: string;
}

/**
 * Links the names of people. What is known of one name is then known of the others: each entry that still counts is written for
 * them, too, as is a suppression. In a transaction of its own, which nobody who records consent overtakes.
 */
export async function recordLinks(ctx: Ctx, people: readonly Names[]): Promise<void> {
  const links = people.flatMap(linksOf);
  if (links.length === 0) return;
  const { tenantId } = ctx;
  if ((await selectUnknownLinks(ctx, links)).length === 0) return;
  const key = await consentKey(ctx);
  await inTenant(ctx, async (tx) => {
    await lockLinks(tx, tenantId, "alone");
    const known = new Set<string>();
    for (const link of links) {
      const id = JSON.stringify(link);
      if (known.has(id)) continue;
      known.add(id);
      if (!(await insertLinks(tx, tenantId, link, ctx.now()))) continue;
      await trimLinks(tx, tenantId, link, mostLinked);
      const addresses = await personOf(tx, tenantId, link.sandbox, link.address);
      await unionOfNos(
        tx,
        tenantId,
        link.sandbox,
        addresses.map((address) => ({ address, token: key ? addressToken(key, "whatsapp", address) : null })),
        { erased: erasedText, now: ctx.now() },
      );
    }
  });
}

/** Each id is linked to the number; without a number, all to the first id. */
function linksOf({ sandbox, names, source }: Names): Link[] {
  const given = [...new Set(names.map(presentNumber))].filter((name) => name !== erasedText);
  const hub = given.find((name) => !isUserId(name)) ?? given[0];
  return given.flatMap((linked) =>
    hub === undefined || linked === hub || !isUserId(linked)
      ? []
      : [{ sandbox, address: hub, linked, source }],
  );
}

async function personOf(tx: Tx, tenantId: string, sandbox: boolean, address: string): Promise<string[]> {
  const others = await selectLinked(tx, tenantId, sandbox, [address]);
  return [address, ...(others.get(address) ?? [])];
}

/**
 * What else each of these WhatsApp addresses is called, for those that are called anything else. Until the caller's transaction
 * ends, no link is added: what it records for all of a person's names holds for all of them.
 */
export async function namesBeside(
  tx: Tx,
  tenantId: string,
  sandbox: boolean,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  if (addresses.length === 0) return new Map();
  await lockLinks(tx, tenantId, "together");
  return selectLinked(tx, tenantId, sandbox, [...new Set(addresses)]);
}

/** What else each of these WhatsApp addresses is called at the moment, for those that are called anything else. */
export async function namesKnown(
  ctx: Pick<Ctx, "db" | "tenantId">,
  sandbox: boolean,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  return addresses.length === 0 ? new Map() : readLinked(ctx, sandbox, addresses);
}

/** These addresses and all that are linked to them, in the sandbox and outside. */
export async function withLinked(
  ctx: Pick<Ctx, "db" | "tenantId">,
  addresses: readonly string[],
): Promise<string[]> {
  return [...new Set([...addresses, ...(await selectWithLinked(ctx, addresses))])];
}
