import { refuseOutdated } from "../access/revision.ts";
import { systemCtx } from "../access/system-ctx.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { jsonHash } from "../kernel/canonical-json.ts";
import type { Db, Tx } from "../kernel/db.ts";
import { inTenant } from "../kernel/db.ts";
import { notFound } from "../kernel/errors.ts";
import { lockPlatformFees, storePlatformFees } from "../tenancy/platform-fees.ts";
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

/** Of which state of the fees a change is made. */
export const feesRevision = (fees: PlatformFees): string => jsonHash(fees);

/**
 * Sets what the operator charges an organisation per message, by channel; null removes a fee, channels that are not named stay as
 * they are. Applies to every message sent from now on, and is recorded in the organisation's audit trail. For the operator's
 * command and console. Throws `not_found` as getPlatformFees does.
 * @param options.revision of the fees that the change is based on: throws `revision_conflict` when somebody has changed them since
 * @param options.also what happens with it, or not at all
 */
export async function setPlatformFees(
  db: Db,
  slug: string,
  changes: FeeChanges,
  options: {
    requestId?: string;
    revision?: string;
    also?: (tx: Tx, change: { before: PlatformFees; after: PlatformFees }) => Promise<void>;
  } = {},
): Promise<PlatformFees> {
  const found = await selectFees(db, slug);
  if (!found) throw notFound();
  const { tenantId } = found;
  const ctx = systemCtx(db, tenantId, "Operator", options.requestId);
  return inTenant(ctx, async (tx) => {
    const locked = await lockPlatformFees(tx, tenantId);
    if (!locked) throw notFound();
    const before = platformFeesSchema.parse(locked.fees);
    refuseOutdated("what the organisation is charged", options.revision, feesRevision(before));
    const merged = { ...before, ...changes };
    const after = platformFeesSchema.parse(
      Object.fromEntries(Object.entries(merged).filter(([, fee]) => fee !== null)),
    );
    await storePlatformFees(tx, tenantId, after);
    await recordAudit(ctx, tx, {
      action: "platform_fees.changed",
      targetType: "tenant",
      targetId: tenantId,
      before,
      after,
    });
    await options.also?.(tx, { before, after });
    return after;
  });
}
