import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { namesBeside } from "./address-links.ts";
import { enqueueWebhookEvents } from "../webhooks/enqueue-webhook-event.ts";
import { previewSuppressions, selectSuppressionIds, upsertSuppressions } from "./suppression-queries.ts";
import type { NewSuppression } from "./suppression-queries.ts";
import type { SuppressionReason } from "./schemas.ts";

/** What is to be written to no more; the address as normalizeAddress() writes it. */
export interface Suppress {
  channel: Channel;
  address: string;
  reason: SuppressionReason;
  /** Without it, it has no end. */
  expiresAt?: Date | null;
  /** The message that it comes from. */
  notificationId?: string;
  note?: string;
}

/** `extended`: it was suppressed already, for a shorter time or a lesser reason. */
export interface Suppressed {
  id: string;
  outcome: "added" | "extended" | "already_suppressed";
}

const placeOf = ({ channel, address }: { channel: string; address: string }) => `${channel} ${address}`;

/** Of two for one address: a complaint, then what lasts longer, then the first. */
function graver(one: NewSuppression, other: NewSuppression): NewSuppression {
  const longer =
    one.expiresAt === null || (other.expiresAt !== null && other.expiresAt <= one.expiresAt) ? one : other;
  const complaint = [one, other].find(({ reason }) => reason === "complaint");
  return complaint ? { ...complaint, expiresAt: longer.expiresAt } : longer;
}

/** What is to be written for rows, each address once, with the other names of the same people. */
async function askedFor(
  ctx: Ctx,
  tx: Tx,
  sandbox: boolean,
  rows: readonly Suppress[],
): Promise<NewSuppression[]> {
  const onWhatsapp = rows.flatMap(({ channel, address }) => (channel === "whatsapp" ? [address] : []));
  const beside = await namesBeside(tx, ctx.tenantId, sandbox, onWhatsapp);
  const all = rows.flatMap((row) => {
    const others = row.channel === "whatsapp" ? (beside.get(row.address) ?? []) : [];
    return [row, ...others.map((address) => ({ ...row, address }))];
  });
  const wanted = new Map<string, NewSuppression>();
  for (const { expiresAt = null, notificationId = null, note = null, ...row } of all) {
    const next = { ...row, id: newId(), expiresAt, notificationId, note, madeBy: ctx.actor.name };
    const known = wanted.get(placeOf(row));
    wanted.set(placeOf(row), known ? graver(known, next) : next);
  }
  return [...wanted.values()];
}

/**
 * Stops all sending to at most 1,000 addresses and to those that are linked to them, in the caller's transaction, in the order given,
 * and tells webhook endpoints unless `tell` is false. What lasts longer and what is graver stays, whatever the order; whoever asks
 * has checked the permission and audits.
 */
export async function recordSuppressions(
  ctx: Ctx,
  tx: Tx,
  sandbox: boolean,
  rows: readonly Suppress[],
  { tell = true }: { tell?: boolean } = {},
): Promise<Suppressed[]> {
  if (rows.length === 0) return [];
  const asked = await askedFor(ctx, tx, sandbox, rows);
  const now = ctx.now();
  const written = await upsertSuppressions(tx, ctx.tenantId, sandbox, now, asked);
  const results = new Map<string, Suppressed>();
  const events = [];
  for (const { position, id, reason, expiresAt } of written) {
    const made = asked[position];
    if (!made) continue;
    results.set(placeOf(made), { id, outcome: id === made.id ? "added" : "extended" });
    const { channel, address, notificationId } = made;
    events.push({
      event: "suppression.created" as const,
      applicationId: null,
      environmentId: null,
      sandbox,
      payload: {
        suppressionId: id,
        channel,
        address,
        reason,
        notificationId,
        expiresAt: expiresAt?.toISOString() ?? null,
        at: now.toISOString(),
      },
      at: now,
    });
  }
  if (tell) await enqueueWebhookEvents(ctx, tx, events);
  const rest = asked.filter((row) => !results.has(placeOf(row)));
  // They hold: of this moment or, seen by a statement of its own, of a transaction that was faster.
  for (const row of rest.length === 0 ? [] : await selectSuppressionIds(tx, ctx.tenantId, sandbox, rest)) {
    results.set(placeOf(row), { id: row.id, outcome: "already_suppressed" });
  }
  return rows.map((row) => {
    const result = results.get(placeOf(row));
    if (!result) throw new Error("a suppression was neither written nor there");
    return result;
  });
}

/**
 * The same for rows of a file, at most 1,000; with `dry`, says only what would come of them. Endpoints are not told of each.
 */
export async function recordImportedSuppressions(
  ctx: Ctx,
  tx: Tx,
  { sandbox, dry, rows }: { sandbox: boolean; dry: boolean; rows: readonly Suppress[] },
): Promise<("created" | "updated" | "unchanged")[]> {
  let outcomes: readonly Suppressed["outcome"][];
  if (dry) {
    const asked = await askedFor(ctx, tx, sandbox, rows);
    const found = new Map<string, Suppressed["outcome"]>();
    for (const { position, id } of await previewSuppressions(tx, ctx.tenantId, sandbox, asked)) {
      const made = asked[position];
      if (made) found.set(placeOf(made), id === null ? "added" : "extended");
    }
    outcomes = rows.map((row) => found.get(placeOf(row)) ?? "already_suppressed");
  } else {
    outcomes = (await recordSuppressions(ctx, tx, sandbox, rows, { tell: false })).map(
      ({ outcome }) => outcome,
    );
  }
  const seen = new Set<string>();
  return rows.map((row, index) => {
    // Several rows about one address are written as one.
    if (seen.has(placeOf(row))) return "unchanged";
    seen.add(placeOf(row));
    const outcome = outcomes[index];
    return outcome === "added" ? "created" : outcome === "extended" ? "updated" : "unchanged";
  });
}

/** Stops all sending to one address and to those that are linked to it, in the caller's transaction. */
export async function suppressAddress(
  ctx: Ctx,
  tx: Tx,
  { sandbox, ...row }: Suppress & { sandbox: boolean },
): Promise<void> {
  await recordSuppressions(ctx, tx, sandbox, [row]);
}
