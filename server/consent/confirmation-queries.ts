import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { erasedText } from "../kernel/erased.ts";
import { idFloor } from "../kernel/ids.ts";
import type { ConfirmableClass, ConfirmationState } from "./schemas.ts";

/** An address that is asked. */
export interface Ask {
  id: string;
  sandbox: boolean;
  channel: Channel;
  address: string;
  region: string | null;
  class: ConfirmableClass;
  language: string | null;
  applicationId: string;
  environmentId: string;
  itemId: string;
  evidence: Record<string, string>;
  connectionId: string | null;
  ownAddress: string | null;
}

export interface ConfirmationRow extends Ask {
  createdAt: Date;
  expiresAt: Date;
  confirmedAt: Date | null;
  state: ConfirmationState;
}

/** SQL: a no that was said since then, wherever it holds of what is asked. `at`: the moment that counts as now. */
const stateOf = (k: string, at: string) => `CASE
    WHEN ${k}.confirmed_at IS NOT NULL THEN 'confirmed'
    WHEN EXISTS (SELECT FROM consent_entries e WHERE e.tenant_id = ${k}.tenant_id AND e.sandbox = ${k}.sandbox
      AND e.channel = ${k}.channel AND e.address = ${k}.address AND e.at >= ${k}.created_at AND e.state = 'opted_out'
      AND (e.class IS NULL OR e.class = ${k}.class)
      AND (e.region IS NULL OR ${k}.region IS NULL OR e.region = ${k}.region)) THEN 'withdrawn'
    WHEN ${k}.expires_at <= ${at} OR ${k}.address = '${erasedText}' THEN 'expired'
    ELSE 'pending' END`;

const columns = (
  k: string,
  at: string,
) => `${k}.id, ${k}.sandbox, ${k}.channel, ${k}.address, ${k}.region, ${k}.class,
  ${k}.language, ${k}.application_id AS "applicationId", ${k}.environment_id AS "environmentId", ${k}.item_id AS "itemId",
  ${k}.evidence, ${k}.connection_id AS "connectionId", ${k}.own_address AS "ownAddress", ${k}.created_at AS "createdAt",
  ${k}.expires_at AS "expiresAt", ${k}.confirmed_at AS "confirmedAt", ${stateOf(k, at)} AS state`;

/** Until the transaction ends, nobody else asks this address. */
export async function lockAsking(
  tx: Tx,
  tenantId: string,
  of: Pick<Ask, "sandbox" | "channel" | "address">,
): Promise<void> {
  const name = `confirmation ${tenantId} ${JSON.stringify([of.sandbox, of.channel, of.address])}`;
  await tx.$queryRaw`SELECT count(pg_advisory_xact_lock(hashtextextended(${name}, 0)))`;
}

/** What was asked under this name of the caller's, and the confirmation that it belongs to. */
export async function selectAsked(
  tx: Tx,
  tenantId: string,
  { sandbox, itemId }: Pick<Ask, "sandbox" | "itemId">,
  now: Date,
): Promise<{ asked: ConfirmationRow; confirmation: ConfirmationRow } | null> {
  const [asked] = await tx.$queryRawUnsafe<(ConfirmationRow & { openId: string })[]>(
    `SELECT a.open_id AS "openId", ${columns("a", "$4::timestamptz")} FROM consent_confirmations a
     WHERE a.tenant_id = $1::uuid AND a.sandbox = $2 AND a.item_id = $3`,
    tenantId,
    sandbox,
    itemId,
    now,
  );
  if (!asked) return null;
  const confirmation = await selectConfirmation(tx, tenantId, asked.openId, now);
  return confirmation && { asked, confirmation };
}

async function selectConfirmation(
  tx: Tx,
  tenantId: string,
  id: string,
  now: Date,
): Promise<ConfirmationRow | null> {
  const rows = await tx.$queryRawUnsafe<ConfirmationRow[]>(
    `SELECT ${columns("k", "$3::timestamptz")} FROM consent_confirmations k
     WHERE k.tenant_id = $1::uuid AND k.id = $2::uuid AND k.open_id = k.id`,
    tenantId,
    id,
    now,
  );
  return rows[0] ?? null;
}

export interface Asking {
  /** The confirmation of this class that waits, when it was asked for last, and how often without a message. */
  open: (ConfirmationRow & { lastAsked: Date; repeated: number }) | null;
  /** Messages of the last day to this address, and of the last hour of the organisation, counted up to the bound. */
  sentToAddress: number;
  sentByTenant: number;
}

export async function selectAsking(
  tx: Tx,
  tenantId: string,
  ask: Pick<Ask, "sandbox" | "channel" | "address" | "class">,
  { now, tenantPerHour }: { now: Date; tenantPerHour: number },
): Promise<Asking> {
  const [open] = await tx.$queryRawUnsafe<(ConfirmationRow & { lastAsked: Date; repeated: number })[]>(
    `SELECT * FROM (
       SELECT ${columns("k", "$6::timestamptz")}, (SELECT max(a.created_at) FROM consent_confirmations a
         WHERE a.tenant_id = k.tenant_id AND a.open_id = k.id AND a.sent) AS "lastAsked",
         (SELECT count(*)::int FROM consent_confirmations a
         WHERE a.tenant_id = k.tenant_id AND a.open_id = k.id AND NOT a.sent) AS repeated
       FROM consent_confirmations k
       WHERE k.tenant_id = $1::uuid AND k.sandbox = $2 AND k.channel = $3 AND k.address = $4 AND k.class = $5
         AND k.open_id = k.id AND k.confirmed_at IS NULL AND k.expires_at > $6::timestamptz
     ) AS known WHERE state = 'pending' LIMIT 1`,
    tenantId,
    ask.sandbox,
    ask.channel,
    ask.address,
    ask.class,
    now,
  );
  const [counts] = await tx.$queryRawUnsafe<{ sentToAddress: number; sentByTenant: number }[]>(
    `SELECT (SELECT count(*)::int FROM consent_confirmations a WHERE a.tenant_id = $1::uuid AND a.sandbox = $2 AND a.channel = $3
         AND a.address = $4 AND a.created_at > $5::timestamptz - interval '1 day' AND a.sent) AS "sentToAddress",
       (SELECT count(*)::int FROM (SELECT FROM consent_confirmations a WHERE a.tenant_id = $1::uuid AND a.sandbox = $2
         AND a.created_at > $5::timestamptz - interval '1 hour' AND a.sent LIMIT $6::int) AS recent) AS "sentByTenant"`,
    tenantId,
    ask.sandbox,
    ask.channel,
    ask.address,
    now,
    tenantPerHour,
  );
  return { open: open ?? null, sentToAddress: 0, sentByTenant: 0, ...counts };
}

/** Writes that an address is asked. Returns whether the caller's name for it was free. */
export async function insertAsk(
  tx: Tx,
  tenantId: string,
  ask: Ask,
  of: { openId: string; sent: boolean; createdAt: Date; expiresAt: Date },
): Promise<boolean> {
  const { count } = await tx.consentConfirmation.createMany({
    data: [{ tenantId, ...ask, ...of }],
    skipDuplicates: true,
  });
  return count > 0;
}

/** A later message about it says a later end. */
export async function prolong(tx: Tx, tenantId: string, id: string, expiresAt: Date): Promise<void> {
  await tx.consentConfirmation.updateMany({
    where: { tenantId, id, expiresAt: { lt: expiresAt } },
    data: { expiresAt },
  });
}

/** A confirmation by its own id, or by that of any of its messages. */
export async function findConfirmation(
  ctx: Pick<Ctx, "db" | "tenantId">,
  id: string,
  now: Date,
): Promise<ConfirmationRow | null> {
  const rows = await queryInTenant<ConfirmationRow>(
    ctx,
    `SELECT ${columns("k", "$3::timestamptz")} FROM consent_confirmations a
     JOIN consent_confirmations k ON k.tenant_id = a.tenant_id AND k.id = a.open_id
     WHERE a.tenant_id = $1 AND a.id = $2`,
    [ctx.tenantId, id, now],
  );
  return rows[0] ?? null;
}

/** The same, held until the transaction ends. */
export async function lockConfirmation(
  tx: Tx,
  tenantId: string,
  id: string,
  now: Date,
): Promise<ConfirmationRow | null> {
  const [found] = await tx.$queryRawUnsafe<{ id: string }[]>(
    `SELECT k.id FROM consent_confirmations a JOIN consent_confirmations k ON k.tenant_id = a.tenant_id AND k.id = a.open_id
     WHERE a.tenant_id = $1::uuid AND a.id = $2::uuid FOR NO KEY UPDATE OF k`,
    tenantId,
    id,
  );
  return found ? selectConfirmation(tx, tenantId, found.id, now) : null;
}

export async function markConfirmed(tx: Tx, tenantId: string, id: string, at: Date): Promise<void> {
  await tx.consentConfirmation.updateMany({
    where: { tenantId, id, confirmedAt: null },
    data: { confirmedAt: at },
  });
}

/** Those of the confirmations of addresses that wait, newest first: at most one for each class. */
export function selectOpen(
  ctx: Pick<Ctx, "db" | "tenantId">,
  of: { sandbox: boolean; places: readonly { channel: string; address: string }[]; now: Date; limit: number },
): Promise<ConfirmationRow[]> {
  return queryInTenant<ConfirmationRow>(
    ctx,
    `SELECT * FROM (
       SELECT ${columns("k", "$4::timestamptz")} FROM jsonb_to_recordset($3::jsonb) AS x(channel text, address text)
       JOIN consent_confirmations k ON k.tenant_id = $1 AND k.sandbox = $2 AND k.channel = x.channel AND k.address = x.address
       WHERE k.open_id = k.id AND k.confirmed_at IS NULL AND k.expires_at > $4::timestamptz
     ) AS known WHERE state = 'pending' ORDER BY "createdAt" DESC, id DESC LIMIT $5`,
    [ctx.tenantId, of.sandbox, JSON.stringify(of.places), of.now, of.limit],
  );
}

/** What somebody wrote that may confirm what they were asked. */
export interface YesByWord {
  inboundMessageId: string;
  sandbox: boolean;
  channel: Channel;
  address: string;
  /** Our number that they wrote to, and the connection that received it. */
  ownAddress: string;
  connectionId: string;
  word: string;
  /** The provider's id of the message that it quotes; null: it quotes none. */
  repliesTo: string | null;
  at: Date;
}

/** SQL: whether message `n` may have come from the number that answer `x` was written to. */
const fromNumberOf = (
  x: string,
  n: string,
) => `(${n}.connection_id = ${x}."connectionId" OR ${n}.connection_id IN (
    SELECT s.connection_id FROM sender_facts s WHERE s.tenant_id = $1::uuid AND s.channel = ${x}.channel
      AND s.address = sender_address(${x}.channel, ${x}."ownAddress")))
  -- Over the same connection, but from another number: not the one that was answered.
  AND (${x}."ownAddress" = '' OR 'other' IS DISTINCT FROM (
    SELECT CASE WHEN bool_and(sender_address(${x}.channel, e.data->>'from') <> sender_address(${x}.channel, ${x}."ownAddress"))
      THEN 'other' END
    FROM event_facts e WHERE e.tenant_id = ${n}.tenant_id AND e.notification_id = ${n}.id
      AND sender_kind(${x}.channel, e.data->>'from') IN ('numeric', 'whatsapp') AND e.data ? 'from'))`;

/** SQL: when a message went out; null: it did not, or its recipient never got it. Of an unknown outcome, the earliest. */
const wentOutAt = (n: string) => `CASE
    WHEN ${n}.status IN ('sending', 'undetermined') THEN coalesce(${n}.sent_at, ${n}.scheduled_at, ${n}.created_at)
    WHEN ${n}.status IN ('sent', 'delivered') THEN coalesce(${n}.sent_at, ${n}.delivered_at) END`;

/** A message that was planned longer ago is not looked for. */
const plannedWithin = 30 * 86_400_000;

/**
 * For each of these the confirmation that it answers, held until the transaction ends: of those that wait, the one whose message it
 * quotes. What quotes none answers the newest message that its sender got from the number that was written to, but for automatic
 * replies, which ask nothing.
 */
export async function lockAnswered(
  tx: Tx,
  tenantId: string,
  said: readonly YesByWord[],
): Promise<{ inboundMessageId: string; id: string }[]> {
  return tx.$queryRawUnsafe(
    `SELECT x."inboundMessageId", k.id
     FROM jsonb_to_recordset($2::jsonb) AS x(position int, "inboundMessageId" text, sandbox boolean, channel text, address text,
       "ownAddress" text, "connectionId" uuid, "repliesTo" text, at timestamptz)
     CROSS JOIN LATERAL (
       SELECT a.open_id FROM consent_confirmations a
       JOIN consent_confirmations o ON o.tenant_id = a.tenant_id AND o.id = a.open_id AND o.confirmed_at IS NULL
         AND o.expires_at > x.at
       JOIN notification_facts n ON n.tenant_id = a.tenant_id AND n.id = a.id AND n.status NOT IN ('scheduled', 'queued')
       WHERE a.tenant_id = $1::uuid AND a.sandbox = x.sandbox AND a.channel = x.channel AND a.address = x.address AND a.sent
         -- Providers tell whole seconds.
         AND date_trunc('second', a.created_at) <= x.at
         AND ${fromNumberOf("x", "n")}
         AND CASE WHEN x."repliesTo" IS NOT NULL THEN n.provider_message_id = x."repliesTo" ELSE NOT EXISTS (
           SELECT FROM notification_facts l
           WHERE l.tenant_id = $1::uuid AND l.recipient = x.address AND l.channel = x.channel AND l.sandbox = x.sandbox
             AND l.id >= $3::uuid AND l.id <> n.id
             AND NOT EXISTS (SELECT FROM word_replies w WHERE w.tenant_id = l.tenant_id AND w.id = l.id)
             AND ${wentOutAt("l")} > coalesce(n.sent_at, a.created_at) AND date_trunc('second', ${wentOutAt("l")}) <= x.at
             AND ${fromNumberOf("x", "l")}) END
       ORDER BY a.created_at DESC, a.id DESC LIMIT 1
     ) AS newest
     JOIN consent_confirmations k ON k.tenant_id = $1::uuid AND k.id = newest.open_id
     ORDER BY k.id FOR NO KEY UPDATE OF k`,
    tenantId,
    JSON.stringify(said),
    idFloor(new Date(Math.min(...said.map(({ at }) => at.getTime())) - plannedWithin)),
  );
}

/** The conversation on WhatsApp in which a free text may be sent: that with the newest message of the last 24 hours. */
export async function selectOpenWindow(
  ctx: Pick<Ctx, "db" | "tenantId">,
  of: { sandbox: boolean; address: string; applicationId: string; since: Date },
): Promise<{ connectionId: string; ownAddress: string } | null> {
  const rows = await queryInTenant<{ connectionId: string; ownAddress: string }>(
    ctx,
    `SELECT c.connection_id AS "connectionId", c.own_address AS "ownAddress" FROM conversation_facts c
     WHERE c.tenant_id = $1 AND c.sandbox = $2 AND c.channel = 'whatsapp' AND c.address = $3 AND c.application_id = $4
       AND c.last_heard_at > $5 AND c.connection_id IS NOT NULL
     ORDER BY c.last_heard_at DESC LIMIT 1`,
    [ctx.tenantId, of.sandbox, of.address, of.applicationId, of.since],
  );
  return rows[0] ?? null;
}

export interface AskRow extends ConfirmationRow {
  sent: boolean;
}

/** One message of a confirmation, with the state of that. */
export async function findAsk(
  ctx: Pick<Ctx, "db" | "tenantId">,
  id: string,
  now: Date,
): Promise<AskRow | null> {
  const rows = await queryInTenant<AskRow>(
    ctx,
    `SELECT ${columns("a", "$3::timestamptz")}, a.sent, ${stateOf("k", "$3::timestamptz")} AS state
     FROM consent_confirmations a JOIN consent_confirmations k ON k.tenant_id = a.tenant_id AND k.id = a.open_id
     WHERE a.tenant_id = $1 AND a.id = $2`,
    [ctx.tenantId, id, now],
  );
  return rows[0] ?? null;
}
