import { Decimal } from "decimal.js";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import type { AiConfig } from "./config.ts";
import { insertUsage } from "./queries.ts";
import type { AiPurpose } from "./schemas.ts";

export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
  /** The service did not report it; estimated from the texts. */
  estimated: boolean;
}

export interface Cost {
  /** Decimal with six places. */
  amount: string;
  currency: string;
}

/** What tokens cost at the operator's prices; null when there are none. */
export function costOf(
  price: AiConfig["price"],
  use: Pick<TokenUsage, "inputTokens" | "outputTokens">,
): Cost | null {
  if (!price) return null;
  const amount = new Decimal(price.input)
    .mul(use.inputTokens)
    .add(new Decimal(price.output).mul(use.outputTokens))
    .div(1_000_000);
  return { amount: amount.toFixed(6, Decimal.ROUND_HALF_UP), currency: price.currency };
}

/** Adds two costs at the same prices. */
export function addCosts(one: Cost | null, other: Cost | null): Cost | null {
  if (!one || !other) return one ?? other;
  return { ...one, amount: new Decimal(one.amount).add(other.amount).toFixed(6) };
}

/** Estimates the tokens of a text: four bytes of UTF-8 each, which is close for most scripts. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text, "utf8") / 4);
}

/**
 * Records the usage of a call. Never throws: the answer is worth more than its line in the accounts; a lost line is
 * logged.
 */
export async function recordUsage(
  ctx: Ctx,
  call: { purpose: AiPurpose; model: string; price: AiConfig["price"]; templateId?: string | undefined },
  use: TokenUsage,
): Promise<void> {
  const cost = costOf(call.price, use);
  try {
    await inTenant(ctx, (tx) =>
      insertUsage(tx, {
        tenantId: ctx.tenantId,
        id: newId(),
        at: ctx.now(),
        purpose: call.purpose,
        model: call.model,
        ...use,
        cost: cost?.amount ?? null,
        currency: cost?.currency ?? null,
        templateId: call.templateId ?? null,
        actorId: ctx.actor.id,
        actorName: ctx.actor.name,
      }),
    );
  } catch (error) {
    ctx.log.error(
      { err: error, tenantId: ctx.tenantId, purpose: call.purpose, ...use },
      "use of the AI service could not be recorded",
    );
  }
}
