import { systemCtx } from "../access/system-ctx.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import { notFound } from "../kernel/errors.ts";
import { presentQuota } from "./get-quota.ts";
import type { QuotaAndUse } from "./get-quota.ts";
import { dateOf, dayOf } from "./periods.ts";
import { lockQuota, selectQuota, selectTenant, storeQuota } from "./queries.ts";
import type { Quota } from "./schemas.ts";

/** What an organisation may do at most, and has done: for the operator's command. Throws `not_found` for an unknown short name. */
export async function getQuotaOf(db: Db, slug: string): Promise<QuotaAndUse & { name: string }> {
  const tenant = await selectTenant(db, slug);
  if (!tenant) throw notFound();
  const now = new Date();
  const row = await selectQuota(db, tenant.id, dateOf(dayOf(now.getTime())));
  return { name: tenant.name, ...presentQuota(row, now) };
}

/**
 * Sets what an organisation may do at most; null removes a limit, those that are not named stay. Holds within three seconds, also for
 * what was used before, and is recorded in the organisation's audit trail. For the operator's command and console. Throws
 * `not_found` as getQuotaOf does.
 * @param options.also what happens with it, or not at all
 */
export async function setQuota(
  db: Db,
  slug: string,
  changes: Partial<Quota>,
  options: {
    requestId?: string;
    also?: (tx: Tx, change: { before: Quota; after: Quota }) => Promise<void>;
  } = {},
): Promise<Quota> {
  const tenant = await selectTenant(db, slug);
  if (!tenant) throw notFound();
  const ctx = systemCtx(db, tenant.id, "Operator", options.requestId);
  return inTenant(ctx, async (tx) => {
    const before = await lockQuota(tx, tenant.id, ctx.now());
    const after = { ...before, ...changes };
    await storeQuota(tx, tenant.id, after, ctx.now());
    await recordAudit(ctx, tx, {
      action: "quota.changed",
      targetType: "tenant",
      targetId: tenant.id,
      before,
      after,
    });
    await options.also?.(tx, { before, after });
    return after;
  });
}
