import type { Ctx } from "../kernel/ctx.ts";
import { camelRows, queryInTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import type { Period } from "./periods.ts";
import { noQuota } from "./schemas.ts";
import type { Quota } from "./schemas.ts";

export interface QuotaState extends Quota {
  tenantId: string;
  day: string;
  usedDay: number;
  usedMonth: number;
}

/** Adds what a process counted; answers for tenants with a quota what it is and what is used, in one statement for all. */
export async function addQuotaUse(
  db: Db,
  rows: readonly { tenantId: string; day: string; used: number }[],
): Promise<QuotaState[]> {
  const result = await db.pool.query({
    name: "add_quota_use",
    text: `SELECT tenant_id, day::text AS day, messages_per_day, messages_per_month, requests_per_minute,
       used_day::float8 AS used_day, used_month::float8 AS used_month FROM add_quota_use($1, $2, $3)`,
    values: [rows.map((row) => row.tenantId), rows.map((row) => row.day), rows.map((row) => row.used)],
  });
  return camelRows<QuotaState>(result);
}

/** Deletes the counts of months that are over. */
export async function purgeQuotaDays(db: Db): Promise<void> {
  await db.pool.query("SELECT purge_quota_days()");
}

export interface QuotaRow extends Quota {
  usedDay: number;
  usedMonth: number;
}

const nothing: QuotaRow = { ...noQuota, usedDay: 0, usedMonth: 0 };
const ownQuota = `
  SELECT q.messages_per_day, q.messages_per_month, q.requests_per_minute, u.used_day, u.used_month
  FROM (
    SELECT coalesce(sum(used) FILTER (WHERE day = $2::date), 0)::float8 AS used_day, coalesce(sum(used), 0)::float8 AS used_month
    FROM quota_days WHERE tenant_id = $1 AND day >= date_trunc('month', $2::timestamp)::date AND day <= $2::date
  ) AS u
  LEFT JOIN tenant_quotas q ON q.tenant_id = $1`;

/** A tenant's own quota, and what it has used on a day and in its month. */
export async function selectOwnQuota(ctx: Pick<Ctx, "db" | "tenantId">, day: string): Promise<QuotaRow> {
  const rows = await queryInTenant<QuotaRow>(ctx, ownQuota, [ctx.tenantId, day]);
  return rows[0] ?? nothing;
}

/** The same of any tenant, over the role of worker or console. */
export async function selectQuota(db: Db, tenantId: string, day: string): Promise<QuotaRow> {
  const result = await db.pool.query(ownQuota, [tenantId, day]);
  return camelRows<QuotaRow>(result)[0] ?? nothing;
}

/** A tenant by its short name, over the role of worker or console. */
export async function selectTenant(db: Db, slug: string): Promise<{ id: string; name: string } | undefined> {
  const { rows } = await db.pool.query<{ id: string; name: string }>(
    "SELECT id, name FROM tenant_states WHERE slug = $1",
    [slug],
  );
  return rows[0];
}

/** The quota as it was, locked until the transaction ends; a first one is locked as well. */
export async function lockQuota(tx: Tx, tenantId: string, at: Date): Promise<Quota> {
  await tx.$executeRaw`
    INSERT INTO tenant_quotas (tenant_id, changed_at) VALUES (${tenantId}::uuid, ${at}) ON CONFLICT (tenant_id) DO NOTHING`;
  const rows = await tx.$queryRaw<Quota[]>`
    SELECT messages_per_day AS "messagesPerDay", messages_per_month AS "messagesPerMonth", requests_per_minute AS "requestsPerMinute"
    FROM tenant_quotas WHERE tenant_id = ${tenantId}::uuid FOR UPDATE`;
  return rows[0] ?? noQuota;
}

/** Writes the quota that lockQuota has locked. */
export async function storeQuota(tx: Tx, tenantId: string, quota: Quota, at: Date): Promise<void> {
  await tx.$executeRaw`
    UPDATE tenant_quotas SET messages_per_day = ${quota.messagesPerDay}, messages_per_month = ${quota.messagesPerMonth},
      requests_per_minute = ${quota.requestsPerMinute}, changed_at = ${at}
    WHERE tenant_id = ${tenantId}::uuid`;
}

/** Notes that a tenant is told of a level and those below; false when somebody has noted it before. */
export async function noteWarning(
  tx: Tx,
  tenantId: string,
  of: { period: Period; startsOn: string; allowed: number; percent: 80 | 100 },
): Promise<boolean> {
  const rows = await tx.$queryRaw<{ percent: number }[]>`
    INSERT INTO quota_warnings (tenant_id, period, starts_on, allowed, percent)
    SELECT ${tenantId}::uuid, ${of.period}, ${of.startsOn}::date, ${of.allowed}::int, p
    FROM unnest(ARRAY[80, 100]) AS p WHERE p <= ${of.percent}::int
    ON CONFLICT DO NOTHING RETURNING percent`;
  return rows.some(({ percent }) => percent === of.percent);
}
