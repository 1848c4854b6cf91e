import type { BookedPrice } from "../adapters/adapter.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import type { PriceScope } from "./estimate-cost.ts";
import type { CostEntry } from "./schemas.ts";

/** A tenant by its short name, over the role of worker or console. */
export async function selectFees(
  db: Db,
  slug: string,
): Promise<{ tenantId: string; name: string; fees: unknown } | null> {
  const { rows } = await db.pool.query<{ tenantId: string; name: string; fees: unknown }>(
    `SELECT id AS "tenantId", name, platform_fees AS fees FROM tenant_states WHERE slug = $1`,
    [slug],
  );
  return rows[0] ?? null;
}

/**
 * Books prices of messages that a connection sent, each on the attempt that the provider accepted. A booked price is
 * final: it replaces estimates and receipts' prices. Returns how many costs changed. Ignores the sandbox.
 */
export async function bookPrices(
  db: Db,
  tenantId: string,
  connectionId: string,
  prices: readonly BookedPrice[],
): Promise<number> {
  const { rowCount } = await db.pool.query(
    `INSERT INTO cost_entries AS ce (tenant_id, id, notification_id, attempt, kind, amount, currency, source, at)
     SELECT $1, uuidv7_new(), n.id, coalesce(a.number, greatest(n.attempts, 1)), 'message', x.amount, x.currency, 'reported', now()
     FROM (
       SELECT DISTINCT ON ("providerMessageId") * FROM jsonb_to_recordset($3::jsonb)
         AS p("providerMessageId" text, amount numeric, currency text) ORDER BY "providerMessageId"
     ) AS x
     CROSS JOIN LATERAL (
       SELECT n.id, n.attempts FROM notification_facts n WHERE n.tenant_id = $1 AND n.connection_id = $2
         AND n.provider_message_id = x."providerMessageId" AND NOT n.sandbox LIMIT 1
     ) AS n
     LEFT JOIN LATERAL (
       SELECT a.number FROM attempt_facts a WHERE a.tenant_id = $1 AND a.notification_id = n.id
         AND a.provider_message_id = x."providerMessageId" ORDER BY a.number DESC LIMIT 1
     ) AS a ON true
     ON CONFLICT (tenant_id, notification_id, attempt, kind) DO UPDATE
       SET amount = excluded.amount, currency = excluded.currency, source = excluded.source, at = excluded.at
       WHERE (ce.amount, ce.currency, ce.source) IS DISTINCT FROM (excluded.amount, excluded.currency, excluded.source)`,
    [
      tenantId,
      connectionId,
      JSON.stringify(prices.map(({ providerMessageId, price }) => ({ providerMessageId, ...price }))),
    ],
  );
  return rowCount ?? 0;
}

/** All costs of a message, in the order of its attempts, the fee last; each also in the organisation's own currency. */
export function selectCosts(
  ctx: Ctx,
  notificationId: string,
): Promise<(Omit<CostEntry, "at"> & { at: Date })[]> {
  return queryInTenant(
    ctx,
    `SELECT e.kind, e.attempt, e.amount::text AS amount, e.currency, e.source, e.at,
       CASE WHEN o.worth IS NOT NULL THEN
         jsonb_build_object('amount', round(e.amount * o.worth, 6)::text, 'currency', o.currency) END AS own
     FROM cost_entries e
     LEFT JOIN LATERAL (
       SELECT c.currency, CASE WHEN c.currency = e.currency THEN 1 ELSE (
         SELECT r.rate FROM exchange_rates r
         WHERE r.tenant_id = $1 AND r.own_currency = c.currency AND r.currency = e.currency
           AND r.valid_from <= (e.at AT TIME ZONE 'UTC')::date
         ORDER BY r.valid_from DESC LIMIT 1) END AS worth
       FROM cost_currencies c WHERE c.tenant_id = $1
     ) AS o ON true
     WHERE e.tenant_id = $1 AND e.notification_id = $2 ORDER BY e.kind, e.attempt LIMIT 1000`,
    [ctx.tenantId, notificationId],
  );
}

/**
 * How many units a connection's counted rows have priced in a month. One row for each counted row of its price list, which has
 * at most 2,000.
 */
export function selectUnits(
  ctx: Pick<Ctx, "db" | "tenantId">,
  connectionId: string,
  month: string,
): Promise<(PriceScope & { units: number })[]> {
  return queryInTenant(
    ctx,
    `SELECT channel, category, country, units::float8 AS units FROM price_units
     WHERE tenant_id = $1 AND connection_id = $2 AND month = $3::date LIMIT 5000`,
    [ctx.tenantId, connectionId, `${month}-01`],
  );
}

type UnitsRow = PriceScope & { tenantId: string; connectionId: string; month: string; units: number };

/**
 * Adds to the counts of a month, of any tenants (worker's role), and returns what they are now. The first of a new month begins
 * anew; what comes late for the month before is left out.
 */
export async function addUnits(db: Db, rows: readonly UnitsRow[]): Promise<UnitsRow[]> {
  const result = await db.pool.query<UnitsRow>(
    `INSERT INTO price_units AS u (tenant_id, connection_id, channel, category, country, month, units)
     SELECT x."tenantId", x."connectionId", x.channel, x.category, x.country, (x.month || '-01')::date, x.units
     FROM jsonb_to_recordset($1::jsonb)
       AS x("tenantId" uuid, "connectionId" uuid, channel text, category text, country text, month text, units bigint)
     ORDER BY 1, 2, 3, 4, 5, 6
     ON CONFLICT (tenant_id, connection_id, channel, category, country) DO UPDATE
       SET units = CASE WHEN u.month = excluded.month THEN u.units + excluded.units ELSE excluded.units END,
           month = excluded.month
       WHERE u.month <= excluded.month
     RETURNING tenant_id AS "tenantId", connection_id AS "connectionId", channel, category, country,
       to_char(month, 'YYYY-MM') AS month, units::float8 AS units`,
    [JSON.stringify(rows)],
  );
  return result.rows;
}
