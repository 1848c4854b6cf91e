import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import type { SuppressionReason } from "./schemas.ts";

/** A suppression that is to be made; its address as normalizeAddress() writes it. */
export interface NewSuppression {
  id: string;
  channel: Channel;
  address: string;
  reason: SuppressionReason;
  /** Null: it has no end. */
  expiresAt: Date | null;
  notificationId: string | null;
  madeBy: string;
  note: string | null;
}

export interface WrittenSuppression {
  position: number;
  id: string;
  reason: SuppressionReason;
  expiresAt: Date | null;
}

/** Whether one that is stored, `s`, is changed by another of the same address. */
const changes = `(s.expires_at <= now() OR s.expires_at < excluded.expires_at
         OR (s.expires_at IS NOT NULL AND excluded.expires_at IS NULL)
         OR (excluded.reason = 'complaint' AND s.reason <> 'complaint'))`;

/**
 * Writes suppressions of different addresses in one statement, in the caller's transaction. Of one that holds already, what lasts
 * longer and what is graver stays, whichever came first; one that has ended is replaced. Returns those that are new or changed.
 */
export function upsertSuppressions(
  tx: Tx,
  tenantId: string,
  sandbox: boolean,
  at: Date,
  rows: readonly NewSuppression[],
): Promise<WrittenSuppression[]> {
  return tx.$queryRawUnsafe<WrittenSuppression[]>(
    `WITH x AS (
       SELECT * FROM jsonb_to_recordset($3::jsonb) AS x(position int, id uuid, channel text, address text, reason text,
         "expiresAt" timestamptz, "notificationId" uuid, "madeBy" text, note text)
     ), written AS (
       INSERT INTO suppressions AS s (tenant_id, id, sandbox, channel, address, reason, created_at, expires_at, notification_id,
         made_by, note)
       -- In one order, so that two of them at once cannot wait for each other.
       SELECT $1::uuid, id, $2, channel, address, reason, $4::timestamptz, "expiresAt", "notificationId", "madeBy", note FROM x
       ORDER BY channel, address COLLATE "C"
       ON CONFLICT (tenant_id, sandbox, channel, address) DO UPDATE SET
         id = CASE WHEN s.expires_at <= now() THEN excluded.id ELSE s.id END,
         reason = CASE WHEN s.expires_at > now() AND s.reason = 'complaint' THEN s.reason ELSE excluded.reason END,
         created_at = CASE WHEN s.expires_at <= now() THEN excluded.created_at ELSE s.created_at END,
         expires_at = CASE WHEN s.expires_at <= now() THEN excluded.expires_at
           WHEN s.expires_at IS NULL OR excluded.expires_at IS NULL THEN NULL
           ELSE greatest(s.expires_at, excluded.expires_at) END,
         notification_id = excluded.notification_id,
         made_by = excluded.made_by,
         note = CASE WHEN s.expires_at <= now() THEN excluded.note ELSE coalesce(excluded.note, s.note) END
       WHERE ${changes}
       RETURNING id, channel, address, reason, expires_at
     )
     SELECT x.position, w.id, w.reason, w.expires_at AS "expiresAt"
     FROM written w JOIN x ON x.channel = w.channel AND x.address = w.address ORDER BY x.position`,
    tenantId,
    sandbox,
    JSON.stringify(rows.map((row, position) => ({ ...row, position }))),
    at,
  );
}

/** Which of these suppressions, of different addresses, would be new and which would change one that holds; `id` null: new. */
export function previewSuppressions(
  tx: Tx,
  tenantId: string,
  sandbox: boolean,
  rows: readonly NewSuppression[],
): Promise<{ position: number; id: string | null }[]> {
  return tx.$queryRawUnsafe(
    `SELECT excluded.position, CASE WHEN s.expires_at <= now() THEN NULL ELSE s.id END AS id
     FROM jsonb_to_recordset($3::jsonb)
       AS excluded(position int, channel text, address text, reason text, expires_at timestamptz)
     LEFT JOIN suppressions s ON s.tenant_id = $1::uuid AND s.sandbox = $2 AND s.channel = excluded.channel
       AND s.address = excluded.address
     WHERE s.id IS NULL OR ${changes}`,
    tenantId,
    sandbox,
    JSON.stringify(
      rows.map(({ channel, address, reason, expiresAt }, position) => ({
        position,
        channel,
        address,
        reason,
        expires_at: expiresAt,
      })),
    ),
  );
}

/** The suppressions of addresses, whether they hold or not. */
export function selectSuppressionIds(
  tx: Tx,
  tenantId: string,
  sandbox: boolean,
  places: readonly { channel: string; address: string }[],
): Promise<{ id: string; channel: string; address: string }[]> {
  return tx.$queryRawUnsafe(
    `SELECT s.id, s.channel, s.address FROM jsonb_to_recordset($3::jsonb) AS x(channel text, address text)
     JOIN suppressions s ON s.tenant_id = $1::uuid AND s.sandbox = $2 AND s.channel = x.channel AND s.address = x.address`,
    tenantId,
    sandbox,
    JSON.stringify(places.map(({ channel, address }) => ({ channel, address }))),
  );
}

export interface SuppressionRow {
  id: string;
  channel: Channel;
  address: string;
  reason: SuppressionReason;
  createdAt: Date;
  expiresAt: Date | null;
  notificationId: string | null;
  madeBy: string | null;
  note: string | null;
}

const columns = `s.id, s.channel, s.address, s.reason, s.created_at AS "createdAt", s.expires_at AS "expiresAt",
  s.notification_id AS "notificationId", s.made_by AS "madeBy", s.note`;
const holds = "(s.expires_at IS NULL OR s.expires_at > now())";

interface Filter {
  sandbox: boolean;
  channel?: string | undefined;
  reason?: string | undefined;
  limit: number;
}

/** Suppressions that hold, newest first. */
export function selectSuppressions(
  ctx: Ctx,
  filter: Filter & { before: { at: Date; id: string } | undefined },
): Promise<SuppressionRow[]> {
  const { sandbox, channel, reason, before, limit } = filter;
  return queryInTenant<SuppressionRow>(
    ctx,
    `SELECT ${columns} FROM suppressions s
     WHERE s.tenant_id = $1 AND s.sandbox = $2 AND ${holds} AND ($3::text IS NULL OR s.channel = $3)
       ${reason === undefined ? "" : "AND s.reason = $7"}
       AND ($4::timestamptz IS NULL OR (s.created_at, s.id) < ($4, $5::uuid))
     ORDER BY s.created_at DESC, s.id DESC LIMIT $6`,
    [
      ctx.tenantId,
      sandbox,
      channel ?? null,
      before?.at ?? null,
      before?.id ?? null,
      limit,
      ...(reason === undefined ? [] : [reason]),
    ],
  );
}

/** Those that hold of addresses that begin so, by address; `after`: the last of the page before. */
export function selectSuppressionsFrom(
  ctx: Ctx,
  filter: Filter & { prefix: string; after: { address: string; id: string } | undefined },
): Promise<SuppressionRow[]> {
  const { sandbox, channel, reason, prefix, after, limit } = filter;
  return queryInTenant<SuppressionRow>(
    ctx,
    `SELECT ${columns} FROM suppressions s
     WHERE s.tenant_id = $1 AND s.sandbox = $2 AND s.address >= $3 AND s.address < $4 AND ${holds}
       AND ($5::text IS NULL OR s.channel = $5) AND ($6::text IS NULL OR s.reason = $6)
       AND ($7::text IS NULL OR (s.address, s.id) > ($7, $8::uuid))
     ORDER BY s.address, s.id LIMIT $9`,
    [
      ctx.tenantId,
      sandbox,
      prefix,
      `${prefix}\u{10ffff}`,
      channel ?? null,
      reason ?? null,
      after?.address ?? null,
      after?.id ?? null,
      limit,
    ],
  );
}

/** Those that hold of one address, by channel; `names`: itself, and what stays of it once it is erased. */
export function selectSuppressionsOf(
  ctx: Ctx,
  filter: Omit<Filter, "limit" | "channel"> & {
    places: readonly { channel: string; names: readonly string[] }[];
  },
): Promise<SuppressionRow[]> {
  return queryInTenant<SuppressionRow>(
    ctx,
    `SELECT ${columns} FROM jsonb_to_recordset($3::jsonb) AS x(channel text, names text[])
     JOIN suppressions s ON s.tenant_id = $1 AND s.sandbox = $2 AND s.channel = x.channel AND s.address = ANY (x.names)
     WHERE ${holds} AND ($4::text IS NULL OR s.reason = $4) ORDER BY s.created_at DESC, s.id DESC`,
    [ctx.tenantId, filter.sandbox, JSON.stringify(filter.places), filter.reason ?? null],
  );
}

/** One that holds, locked until the transaction ends. */
export async function lockSuppression(
  tx: Tx,
  tenantId: string,
  sandbox: boolean,
  id: string,
): Promise<SuppressionRow | null> {
  const rows = await tx.$queryRawUnsafe<SuppressionRow[]>(
    `SELECT ${columns} FROM suppressions s
     WHERE s.tenant_id = $1::uuid AND s.id = $2::uuid AND s.sandbox = $3 AND ${holds} FOR UPDATE`,
    tenantId,
    id,
    sandbox,
  );
  return rows[0] ?? null;
}

export async function deleteSuppression(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.suppression.deleteMany({ where: { tenantId, id } });
}
