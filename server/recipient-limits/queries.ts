import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import type { FrequencyCap } from "./message-limits.ts";

export interface LimitsRow {
  quietHours: unknown;
  caps: unknown;
  revision: number;
}

export async function selectLimits(ctx: Pick<Ctx, "db" | "tenantId">): Promise<LimitsRow | null> {
  const rows = await queryInTenant<LimitsRow>(
    ctx,
    "SELECT quiet_hours, caps, revision FROM recipient_limits WHERE tenant_id = $1",
    [ctx.tenantId],
  );
  return rows[0] ?? null;
}

/** The stored limits, which nobody else changes until the transaction ends. */
export async function lockLimits(tx: Tx, tenantId: string): Promise<LimitsRow | null> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('recipient limits ' || ${tenantId}, 0))`;
  return tx.recipientLimit.findUnique({
    where: { tenantId },
    select: { quietHours: true, caps: true, revision: true },
  });
}

export async function upsertLimits(
  tx: Tx,
  tenantId: string,
  limits: { quietHours: object[]; caps: object[]; revision: number; at: Date },
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO recipient_limits AS l (tenant_id, quiet_hours, caps, revision, updated_at)
    VALUES (${tenantId}::uuid, ${JSON.stringify(limits.quietHours)}::jsonb, ${JSON.stringify(limits.caps)}::jsonb,
      ${limits.revision}, ${limits.at})
    ON CONFLICT (tenant_id) DO UPDATE SET quiet_hours = excluded.quiet_hours, caps = excluded.caps,
      revision = excluded.revision, updated_at = excluded.updated_at`;
}

export interface AskedZone {
  tenantId: string;
  channel: Channel;
  address: string;
}

/** The time zones of the contacts that have these addresses, in the order asked; of any tenants for the worker's role. */
export async function selectContactZones(db: Db, asked: readonly AskedZone[]): Promise<(string | null)[]> {
  const { rows } = await db.pool.query<{ zone: string | null }>({
    name: "contact_zones",
    text: `SELECT (SELECT z.time_zone FROM contact_zones z WHERE z.tenant_id = a.tenant_id AND z.channel = a.channel
             AND z.address = a.address) AS zone
           FROM unnest($1::uuid[], $2::text[], $3::text[]) WITH ORDINALITY AS a(tenant_id, channel, address, position)
           ORDER BY a.position`,
    values: [
      asked.map(({ tenantId }) => tenantId),
      asked.map(({ channel }) => channel),
      asked.map(({ address }) => address),
    ],
  });
  return rows.map(({ zone }) => zone);
}

/** The same for one organisation. */
export async function selectOwnZones(
  ctx: Pick<Ctx, "db" | "tenantId">,
  asked: readonly Omit<AskedZone, "tenantId">[],
): Promise<(string | null)[]> {
  const rows = await queryInTenant<{ zone: string | null }>(
    ctx,
    `SELECT (SELECT z.time_zone FROM contact_zones z WHERE z.tenant_id = $1 AND z.channel = a.channel
       AND z.address = a.address) AS zone
     FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS a(channel, address, position) ORDER BY a.position`,
    [ctx.tenantId, asked.map(({ channel }) => channel), asked.map(({ address }) => address)],
  );
  return rows.map(({ zone }) => zone);
}

/** When each of a cap's limits lets a message through, in their order; null: now. */
export async function selectCapTimes(
  ctx: Pick<Ctx, "db" | "tenantId">,
  cap: FrequencyCap,
  notificationId: string,
): Promise<(Date | null)[]> {
  const rows = await queryInTenant<{ until: Date | null }>(
    ctx,
    `SELECT frequency_cap_until($1, $2::jsonb || jsonb_build_object('limits', jsonb_build_array(l.value)), $3, 0) AS until
     FROM jsonb_array_elements($2::jsonb->'limits') WITH ORDINALITY AS l(value, position) ORDER BY l.position`,
    [ctx.tenantId, JSON.stringify(cap), notificationId],
  );
  return rows.map(({ until }) => until);
}

/** How many messages each of a cap's limits counts now, in their order; never more than it allows. */
export async function selectCapCounts(
  ctx: Pick<Ctx, "db" | "tenantId">,
  cap: FrequencyCap,
): Promise<number[]> {
  const rows = await queryInTenant<{ had: number }>(
    ctx,
    `SELECT (SELECT count(*)::int FROM (SELECT FROM recipient_sends s
       WHERE s.tenant_id = $1 AND s.recipient = recipient_send_key($1, $2, $3) AND s.class = $4
         AND s.at > now() - make_interval(hours => l.hours) AND (l.channel IS NULL OR s.channel = l.channel)
       LIMIT l.most) AS x) AS had
     FROM jsonb_to_recordset($5::jsonb) AS l(position int, channel text, most int, hours int) ORDER BY l.position`,
    [
      ctx.tenantId,
      cap.sandbox,
      cap.recipient,
      cap.class,
      JSON.stringify(cap.limits.map((limit, position) => ({ ...limit, position }))),
    ],
  );
  return rows.map(({ had }) => had);
}
