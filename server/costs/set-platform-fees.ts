import { systemCtx } from "../access/system-ctx.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Db, Tx } from "../kernel/db.ts";
import { inTenant } from "../kernel/db.ts";
import { notFound } from "../kernel/errors.ts";
import { storePlatformFees } from "../tenancy/platform-fees.ts";
import type { FeeChanges } from "./parse-fees.ts";
import { selectFees } from "./queries.ts";
import { platformFeesSchema } from "./schemas.ts";
import type { PlatformFees } from "./schemas.ts";

/** What the operator charges an organisation. Throws `not_found` for an unknown short name. */
export async function getPlatformFees(db: Db, slug: string): Promise<{ name: string; fees: PlatformFees }> {
  const found = await selectFees(db, slug);
  if (!found) throw notFound();
  return { name: found.name, fees: platformFeesSchema.parse(found.fees) };
}

/**
 * Sets what the operator charges an organisation per message, by channel; null removes a fee, other channels stay as
 * they are. Applies to every message sent from now on, and is recorded in the organisation's audit trail. For the operator's
 * command and console. Throws `not_found` as getPlatformFees does.
 * @param options.also what happens with it, or not at all
 */
export async function setPlatformFees(
  db: Db,
  slug: string,
  changes: FeeChanges,
  options: { requestId?: string; also?: (tx: Tx, fees: PlatformFees) => Promise<void> } = {},
): Promise<PlatformFees> {
  const found = await selectFees(db, slug);
  if (!found) throw notFound();
  const merged = { ...platformFeesSchema.parse(found.fees), ...changes };
  const fees = platformFeesSchema.parse(
    Object.fromEntries(Object.entries(merged).filter(([, fee]) => fee !== null)),
  );
  const ctx = systemCtx(db, found.tenantId, "Operator", options.requestId);
  await inTenant(ctx, async (tx) => {
    await storePlatformFees(tx, found.tenantId, fees);
    await recordAudit(ctx, tx, {
      action: "platform_fees.changed",
      targetType: "tenant",
      targetId: found.tenantId,
      before: platformFeesSchema.parse(found.fees),
      after: fees,
    });
    await options.also?.(tx, fees);
  });
  return fees;
}
