import { authorizeSettings } from "../access/authorize-settings.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { deleteRate, lockCurrency, selectCurrency, upsertCurrency, upsertRate } from "./currency-queries.ts";
import { mostRates } from "./schemas.ts";
import type { CurrencyState, Rate } from "./schemas.ts";

const subject = "The currency";

/** In which currency the organisation reads its costs, and its rates to it. */
export async function getCurrency(ctx: Ctx): Promise<CurrencyState> {
  await authorizeSettings(ctx, "to read");
  return selectCurrency(ctx, mostRates);
}

/** Chooses the currency; null: none, costs stay in what they were charged in. Rates to another one are kept for its return. */
export async function setCurrency(ctx: Ctx, input: { currency: string | null }): Promise<CurrencyState> {
  await change(ctx, async (tx, currency) => {
    if (currency === input.currency) return null;
    await upsertCurrency(tx, ctx.tenantId, input.currency);
    return { action: "currency.changed", before: { currency }, after: { currency: input.currency } };
  });
  return getCurrency(ctx);
}

/**
 * Adds a rate, or corrects that of the same day: costs of that day and later are read by it. Throws `conflict` without a currency
 * of one's own and with too many rates, and `invalid_request` for that currency itself.
 */
export async function setRate(ctx: Ctx, input: Rate): Promise<CurrencyState> {
  await change(ctx, async (tx, own) => {
    if (own === null) throw new DomainError("conflict", "Choose the organisation's own currency first.");
    if (own === input.currency) {
      const detail = `${own} is the organisation's own currency`;
      throw new DomainError("invalid_request", `${detail}.`, {
        errors: [{ pointer: "/currency", code: "not_possible", detail }],
      });
    }
    const was = await upsertRate(tx, ctx.tenantId, { ...input, own, most: mostRates });
    if (was === undefined) {
      throw new DomainError(
        "conflict",
        `There are ${String(mostRates)} rates, which is the most there can be: remove old ones first.`,
      );
    }
    if (was !== null && Number(was) === Number(input.rate)) return null;
    const { currency, validFrom } = input;
    return {
      action: "currency.rate_set",
      before: was === null ? {} : { currency, validFrom, rate: was },
      after: { currency, validFrom, rate: input.rate },
    };
  });
  return getCurrency(ctx);
}

/** Removes a rate: the one before it holds on. Throws `not_found`. */
export async function removeRate(ctx: Ctx, input: Omit<Rate, "rate">): Promise<CurrencyState> {
  await change(ctx, async (tx, own) => {
    const rate = own === null ? null : await deleteRate(tx, ctx.tenantId, { ...input, own });
    if (rate === null) throw notFound();
    const { currency, validFrom } = input;
    return { action: "currency.rate_removed", before: { currency, validFrom, rate }, after: {} };
  });
  return getCurrency(ctx);
}

interface Changed {
  action: string;
  before: object;
  after: object;
}

/** One change at a time, with its event; null: nothing changed. */
async function change(
  ctx: Ctx,
  work: (tx: Tx, currency: string | null) => Promise<Changed | null>,
): Promise<void> {
  await authorizeSettings(ctx, "to change", subject);
  await inTenant(ctx, async (tx) => {
    const changed = await work(tx, await lockCurrency(tx, ctx.tenantId));
    if (changed) await recordAudit(ctx, tx, { targetType: "tenant", targetId: ctx.tenantId, ...changed });
  });
}
