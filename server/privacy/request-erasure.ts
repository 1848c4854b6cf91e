import { authorizeSettings } from "../access/authorize-settings.ts";
import { createHmac } from "node:crypto";
import { reachesProduction } from "../access/production-key.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { withLinked } from "../consent/address-links.ts";
import { prepareToForget } from "../consent/forget-recipient.ts";
import { sealRecipients } from "../consent/sealed-recipients.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { decodeCursor, toPage } from "../kernel/cursor.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { isUuid, newId } from "../kernel/ids.ts";
import { Spellings } from "../kernel/spellings.ts";
import { enqueue } from "../kernel/tasks.ts";
import { addressHint, readAddress, spelled, withFormer } from "../kernel/address.ts";
import { insertErasure, lockErasures, selectErasures } from "./erasure-queries.ts";
import type { ErasureRow } from "./erasure-queries.ts";
import type { Erasure, ErasureInput } from "./schemas.ts";
import { eraseRecipients } from "./tasks.ts";

/** Of one organisation; each may hold many addresses. */
const mostOpen = 20;

/** As they are stored: e-mail in lower case, numbers as E.164. Throws `invalid_request`, naming those that are none. */
export function readAddresses(inputs: readonly string[]): string[] {
  const read = inputs.map(readAddress);
  const errors = read.flatMap((address, index) =>
    address === null
      ? [
          {
            pointer: `/addresses/${String(index)}`,
            code: "invalid_recipient",
            detail: addressHint(),
          },
        ]
      : [],
  );
  if (errors.length > 0) {
    throw new DomainError("invalid_request", "Some of these are no addresses.", {
      errors: errors.slice(0, 20),
    });
  }
  return [...new Set(read.filter((address) => address !== null))];
}

/**
 * Has recipients erased, on every channel and in every environment, in the background, with the addresses that are known to be the
 * same person's. The same addresses again while that is
 * under way are the same request. Throws `rate_limited` while too many are open.
 */
export async function requestErasure(ctx: Ctx, input: ErasureInput): Promise<Erasure> {
  await authorizeSettings(ctx, "to change");
  const asked = readAddresses(input.addresses);
  const addresses = await withLinked(ctx, asked.flatMap(withFormer));
  const { reference = null } = input;
  if (reference !== null && new Spellings(addresses.map(spelled)).scrub(reference) !== reference) {
    throw new DomainError("invalid_request", "The reference stays: it cannot name the address.", {
      errors: [{ pointer: "/reference", code: "contains_address", detail: "Without the address" }],
    });
  }
  const key = await prepareToForget(ctx);
  const digest = createHmac("sha256", key)
    .update(JSON.stringify(["erasure", ...asked.toSorted()]))
    .digest();
  const id = await inTenant(ctx, async (tx) => {
    // Its key is taken before other rows are locked.
    const erasureId = newId();
    const recipients = await sealRecipients(tx, ctx.tenantId, erasureId, addresses);
    const open = await lockErasures(tx, ctx.tenantId);
    const same = open.find((one) => one.digest !== null && digest.equals(one.digest));
    if (same) return same.id;
    if (open.length >= mostOpen) {
      const detail = "Many erasures are in progress. Try again when some have ended.";
      throw new DomainError("rate_limited", detail, { retryAfter: 60 });
    }
    await insertErasure(tx, {
      tenantId: ctx.tenantId,
      id: erasureId,
      recipients,
      digest,
      addresses: addresses.length,
      reference,
      requestedByType: ctx.actor.type,
      requestedById: ctx.actor.id,
      requestedByName: ctx.actor.name,
      requestedAt: ctx.now(),
    });
    await enqueue(tx, eraseRecipients, { tenantId: ctx.tenantId, erasureId });
    await recordAudit(ctx, tx, {
      action: "erasure.requested",
      targetType: "erasure",
      targetId: erasureId,
      after: { addresses: addresses.length, reference },
    });
    return erasureId;
  });
  return getErasure(ctx, { id });
}

/** What became of an erasure; names no address. */
export async function getErasure(ctx: Ctx, input: { id: string }): Promise<Erasure> {
  // What somebody may not see does not exist for them.
  await authorizeSettings(ctx, "to change").catch((error: unknown) => {
    throw error instanceof DomainError ? notFound() : error;
  });
  const [row] = isUuid(input.id) ? await selectErasures(ctx, { id: input.id, limit: 1 }) : [];
  if (!row) throw notFound();
  return present(row);
}

/** Erasures, newest first. */
export async function listErasures(
  ctx: Ctx,
  input: { limit: number; cursor?: string | undefined },
): Promise<{ data: Erasure[]; nextCursor: string | null }> {
  const catalogue = await authorizeSettings(ctx, "to read");
  // They belong to every environment: a key of another one than production sees none.
  if (!reachesProduction(ctx, catalogue, "settings:manage")) return { data: [], nextCursor: null };
  const before = decodeCursor(input.cursor);
  return toPage(await selectErasures(ctx, { before, limit: input.limit + 1 }), input.limit, present);
}

function present(row: ErasureRow): Erasure {
  return {
    id: row.id,
    state: row.state,
    addresses: row.addresses,
    reference: row.reference,
    requestedBy: row.requestedByName,
    requestedAt: row.requestedAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
    tables: Object.entries(row.counts)
      .map(([table, rows]) => ({ table, rows }))
      .sort((a, b) => (a.table < b.table ? -1 : 1)),
  };
}
