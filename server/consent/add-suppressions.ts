import { addressTokens } from "../audit/address-token.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { addressHint, normalizeAddress, readAddress } from "../kernel/address.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { ledgerOf } from "./ledger-place.ts";
import { recordSuppressions } from "./suppress-address.ts";
import type { Suppress } from "./suppress-address.ts";
import type { SuppressByHand, SuppressionItem, SuppressionResult } from "./schemas.ts";

/**
 * Stops all sending to at most 1,000 addresses; each has a result of its own. Agents may: it is a no, and takes nothing from
 * anybody.
 */
export async function addSuppressions(
  ctx: Ctx,
  input: { environmentId: string; suppressions: readonly SuppressionItem[] },
): Promise<{ results: SuppressionResult[] }> {
  const { sandbox } = await ledgerOf(ctx, "consent:write", input.environmentId);
  const now = ctx.now();
  const rows: Suppress[] = [];
  const planned = input.suppressions.map(
    ({ channel, address, expiresAt, note }): SuppressionResult | { row: number } => {
      const stored = normalizeAddress(channel, address);
      if (stored === null) {
        return rejected("invalid_recipient", addressHint(channel));
      }
      const end = expiresAt == null ? null : new Date(expiresAt);
      if (end !== null && end <= now) return rejected("invalid_end", "Choose a date in the future.");
      rows.push({
        channel,
        address: stored,
        reason: "manual",
        expiresAt: end,
        ...(note === undefined || note === "" ? {} : { note }),
      });
      return { row: rows.length - 1 };
    },
  );
  if (rows.length === 0) return { results: planned.filter((one) => "status" in one) };
  const tokenOf = await addressTokens(ctx);
  const written = await inTenant(ctx, async (tx) => {
    const done = await recordSuppressions(ctx, tx, sandbox, rows);
    const changed = rows.filter((_, index) => done[index]?.outcome !== "already_suppressed");
    const [first] = changed;
    if (first) {
      const single = changed.length === 1;
      await recordAudit(ctx, tx, {
        action: "suppression.added",
        targetType: "suppression",
        ...(single ? { targetId: done[rows.indexOf(first)]?.id ?? null } : {}),
        environmentId: input.environmentId,
        ...(single
          ? { after: { channel: first.channel, reason: first.reason, expiresAt: first.expiresAt } }
          : {}),
        data: single ? { address: tokenOf(first.address) } : { added: changed.length },
      });
    }
    return done;
  });
  return {
    results: planned.map((one): SuppressionResult => {
      if ("status" in one) return one;
      const done = written[one.row];
      if (!done) throw new Error("an item has no result");
      return { status: done.outcome, id: done.id, reason: null };
    }),
  };
}

/** The same for what a person writes or pastes, numbers also with what people put between the digits. */
export function suppressByHand(ctx: Ctx, input: SuppressByHand): Promise<{ results: SuppressionResult[] }> {
  const { environmentId, channel, addresses, expiresAt, note } = input;
  return addSuppressions(ctx, {
    environmentId,
    suppressions: addresses.map((text) => ({
      channel,
      address: readAddress(text) ?? text,
      expiresAt,
      note,
    })),
  });
}

function rejected(code: NonNullable<SuppressionResult["reason"]>["code"], detail: string): SuppressionResult {
  return { status: "rejected", id: null, reason: { code, detail } };
}
