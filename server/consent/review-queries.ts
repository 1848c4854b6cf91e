import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import type { Unclear } from "./hold-for-review.ts";
import { ofAsked, saysEverywhere } from "./queries.ts";

/** Writes reviews of addresses that have none waiting and have not refused marketing everywhere; returns which. */
export async function insertReviews(
  tx: Tx,
  tenantId: string,
  asked: readonly (Unclear & { id: string })[],
  now: Date,
): Promise<Set<string>> {
  const rows = await tx.$queryRawUnsafe<{ id: string }[]>(
    `INSERT INTO consent_reviews (tenant_id, id, sandbox, channel, address, inbound_message_id, conversation_id, word,
       at, created_at)
     SELECT $1::uuid, id, sandbox, channel, address, "inboundMessageId", "conversationId", word, at, $3::timestamptz
     FROM jsonb_to_recordset($2::jsonb) AS x(id uuid, sandbox boolean, channel text, address text, "inboundMessageId" uuid,
       "conversationId" uuid, word text, at timestamptz)
     WHERE NOT EXISTS (SELECT FROM consent_reviews r WHERE r.tenant_id = $1::uuid AND r.sandbox = x.sandbox
         AND r.channel = x.channel AND r.address = x.address AND r.state = 'waiting')
       AND NOT ${saysEverywhere("opted_out", { ...ofAsked, class: "'marketing'" })}
     ON CONFLICT (tenant_id, inbound_message_id) DO NOTHING
     RETURNING id`,
    tenantId,
    JSON.stringify(asked),
    now,
  );
  return new Set(rows.map(({ id }) => id));
}

export async function anyReviewWaits(tx: Tx, tenantId: string): Promise<boolean> {
  const found = await tx.consentReview.findFirst({
    select: { id: true },
    where: { tenantId, sandbox: false, state: "waiting" },
  });
  return found !== null;
}

export interface ReviewRow {
  id: string;
  channel: Channel;
  address: string;
  conversationId: string;
  at: Date;
  createdAt: Date;
  /** Null: it is not kept any more. */
  text: string | null;
}

/** Those that wait, the oldest first. */
export function selectReviews(
  ctx: Ctx,
  filter: { sandbox: boolean; after: string | undefined; limit: number },
): Promise<ReviewRow[]> {
  return queryInTenant<ReviewRow>(
    ctx,
    `SELECT r.id, r.channel, r.address, r.conversation_id AS "conversationId", r.at, r.created_at AS "createdAt", m.text
     FROM consent_reviews r LEFT JOIN inbound_facts m ON m.tenant_id = r.tenant_id AND m.id = r.inbound_message_id
     WHERE r.tenant_id = $1 AND r.sandbox = $2 AND r.state = 'waiting' AND ($3::uuid IS NULL OR r.id > $3::uuid)
     ORDER BY r.id LIMIT $4`,
    [ctx.tenantId, filter.sandbox, filter.after ?? null, filter.limit],
  );
}

export async function countWaiting(ctx: Ctx, sandbox: boolean, most: number): Promise<number> {
  const rows = await queryInTenant<{ count: number }>(
    ctx,
    `SELECT count(*)::int AS count FROM (
       SELECT FROM consent_reviews WHERE tenant_id = $1 AND sandbox = $2 AND state = 'waiting' LIMIT $3) AS waiting`,
    [ctx.tenantId, sandbox, most],
  );
  return rows[0]?.count ?? 0;
}

export interface DecidedReview {
  id: string;
  sandbox: boolean;
  channel: Channel;
  address: string;
  inboundMessageId: string;
  at: Date;
}

/** A review that waits, locked until the transaction ends; null: it does not wait (any more). */
export async function lockReview(
  tx: Tx,
  tenantId: string,
  { id, sandbox }: { id: string; sandbox: boolean },
): Promise<DecidedReview | null> {
  const rows = await tx.$queryRaw<DecidedReview[]>`
    SELECT id, sandbox, channel, address, inbound_message_id AS "inboundMessageId", at FROM consent_reviews
    WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid AND sandbox = ${sandbox} AND state = 'waiting' FOR UPDATE`;
  return rows[0] ?? null;
}

/** Ends a locked review, and what held its address and those of the same person back. */
export async function endReview(
  tx: Tx,
  tenantId: string,
  review: DecidedReview,
  { addresses, state, now }: { addresses: readonly string[]; state: string; now: Date },
): Promise<void> {
  const { id, sandbox, channel } = review;
  await tx.consentReview.update({
    where: { tenantId_id: { tenantId, id } },
    data: { state, decidedAt: now },
    select: { id: true },
  });
  await tx.$executeRaw`
    DELETE FROM consent_entries WHERE tenant_id = ${tenantId}::uuid AND sandbox = ${sandbox} AND channel = ${channel}
      AND address = ANY (${[...addresses]}::text[]) AND source = 'review' AND evidence->>'review' = ${id}`;
}

/** Whether there is or was such a review. */
export async function isReview(ctx: Ctx, id: string, sandbox: boolean): Promise<boolean> {
  const rows = await queryInTenant(
    ctx,
    "SELECT FROM consent_reviews WHERE tenant_id = $1 AND id = $2 AND sandbox = $3",
    [ctx.tenantId, id, sandbox],
  );
  return rows.length > 0;
}

export interface Undecided {
  tenantId: string;
  id: string;
  sandbox: boolean;
}

/** Reviews of all tenants that nobody has decided in time, by id (worker's role). */
export async function selectUndecided(
  db: Db,
  of: { before: Date; after: Undecided | null; limit: number },
): Promise<Undecided[]> {
  const { rows } = await db.pool.query<Undecided>(
    `SELECT tenant_id AS "tenantId", id, sandbox FROM consent_reviews
     WHERE state = 'waiting' AND created_at < $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3`,
    [of.before, of.after?.id ?? null, of.limit],
  );
  return rows;
}
