import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import type { CurrencyState, Rate } from "./schemas.ts";

type Day = Omit<Rate, "rate"> & { own: string };

const rateText = (alias: string) => `trim_scale(${alias}.rate)::text`;

/** The organisation's currency with the rates to it, at most `most`. */
export async function selectCurrency(
  ctx: Pick<Ctx, "db" | "tenantId">,
  most: number,
): Promise<CurrencyState> {
  const [row] = await queryInTenant<{ own: string | null; rates: Rate[] }>(
    ctx,
    `SELECT c.currency AS own, coalesce((
       SELECT jsonb_agg(jsonb_build_object('currency', r.currency, 'validFrom', r.valid_from, 'rate', ${rateText("r")})
         ORDER BY r.currency, r.valid_from DESC)
       FROM (SELECT * FROM exchange_rates x WHERE x.tenant_id = $1 AND x.own_currency = c.currency
             ORDER BY x.currency, x.valid_from DESC LIMIT $2) AS r), '[]') AS rates
     FROM cost_currencies c WHERE c.tenant_id = $1`,
    [ctx.tenantId, most],
  );
  return { currency: row?.own ?? null, rates: row?.rates ?? [] };
}

/** The currency, which nobody else changes until the transaction ends, nor its rates. */
export async function lockCurrency(tx: Tx, tenantId: string): Promise<string | null> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('exchange rates ' || ${tenantId}, 0))`;
  const row = await tx.costCurrency.findUnique({ where: { tenantId } });
  return row?.currency ?? null;
}

export async function upsertCurrency(tx: Tx, tenantId: string, currency: string | null): Promise<void> {
  if (currency === null) await tx.costCurrency.deleteMany({ where: { tenantId } });
  else
    await tx.costCurrency.upsert({
      where: { tenantId },
      create: { tenantId, currency },
      update: { currency },
    });
}

/** Writes a rate and returns what it was; null: it is new; undefined: there are too many, and nothing was written. */
export async function upsertRate(
  tx: Tx,
  tenantId: string,
  { own, currency, validFrom, rate, most }: Day & { rate: string; most: number },
): Promise<string | null | undefined> {
  const [row] = await tx.$queryRaw<{ was: string | null; written: boolean }[]>`
    WITH old AS (
      SELECT r.rate FROM exchange_rates r WHERE r.tenant_id = ${tenantId}::uuid AND r.own_currency = ${own}
        AND r.currency = ${currency} AND r.valid_from = ${validFrom}::date
    ), written AS (
      INSERT INTO exchange_rates AS r (tenant_id, own_currency, currency, valid_from, rate)
      SELECT ${tenantId}::uuid, ${own}, ${currency}, ${validFrom}::date, ${rate}::numeric
      WHERE EXISTS (SELECT FROM old) OR
        (SELECT count(*) FROM exchange_rates x WHERE x.tenant_id = ${tenantId}::uuid AND x.own_currency = ${own}) < ${most}
      ON CONFLICT (tenant_id, own_currency, currency, valid_from) DO UPDATE SET rate = excluded.rate
      RETURNING 1
    )
    SELECT (SELECT trim_scale(rate)::text FROM old) AS was, EXISTS (SELECT FROM written) AS written`;
  return row?.written ? row.was : undefined;
}

/** Removes a rate and returns it; null: there is none. */
export async function deleteRate(
  tx: Tx,
  tenantId: string,
  { own, currency, validFrom }: Day,
): Promise<string | null> {
  const [row] = await tx.$queryRaw<{ rate: string }[]>`
    DELETE FROM exchange_rates r WHERE r.tenant_id = ${tenantId}::uuid AND r.own_currency = ${own}
      AND r.currency = ${currency} AND r.valid_from = ${validFrom}::date
    RETURNING trim_scale(r.rate)::text AS rate`;
  return row?.rate ?? null;
}
