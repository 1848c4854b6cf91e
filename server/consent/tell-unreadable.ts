import { z } from "zod";
import { findHolders } from "../access/find-holders.ts";
import { systemCtx } from "../access/system-ctx.ts";
import { alone } from "../kernel/alone.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import { defineTask } from "../kernel/tasks.ts";
import { findTold, withdrawNotices, writeNotices } from "../notices/write-notices.ts";
import { findUnreadablePolicies } from "../tenancy/find-unreadable-policies.ts";
import { lockTenantSettings } from "../tenancy/lock-settings.ts";

export const tellUnreadableTask = defineTask("tell_unreadable_policies", z.object({}).loose());

const kind = "consent_policy.unreadable";
/** Beyond this nobody feels responsible. */
const mostTold = 200;
/** Organisations that one run tells or takes notices back from; the rest is the next run's. */
const atOnce = 200;
/** What is logged of an organisation for which it could not be done. */
const failed = "whether a consent policy can be read could not be told";

/**
 * Tells those who may set the consent policy that theirs cannot be read, once until it is mended, whoever looks at it or not; of one
 * that was mended, however that was, the notices are taken back. Returns how many organisations were told.
 */
export async function tellUnreadablePolicies(db: Db): Promise<number> {
  const [unreadable, told] = await Promise.all([findUnreadablePolicies(db), findTold(db, kind)]);
  const [broken, known] = [new Set(unreadable), new Set(told)];
  const mended = told.filter((tenantId) => !broken.has(tenantId));
  for (const tenantId of mended.slice(0, atOnce)) {
    const ctx = systemCtx(db, tenantId, "Consent policy");
    await alone(tenantId, failed, () =>
      inTenant(ctx, async (tx) => {
        const tenant = await lockTenantSettings(tx, tenantId);
        if (!tenant?.policyProblem) await takeBackUnreadable(ctx, tx);
      }),
    );
  }
  const untold = unreadable.filter((tenantId) => !known.has(tenantId)).slice(0, atOnce);
  for (const tenantId of untold)
    await alone(tenantId, failed, () => tell(systemCtx(db, tenantId, "Consent policy")));
  return untold.length;
}

async function tell(ctx: Ctx): Promise<void> {
  const { tenantId } = ctx;
  await inTenant(ctx, async (tx) => {
    // Whoever mends it meanwhile takes the notices back.
    const tenant = await lockTenantSettings(tx, tenantId);
    if (!tenant?.policyProblem) return;
    const holders = await findHolders(tx, tenantId, {
      permission: "settings:manage",
      unitId: null,
      limit: mostTold,
    });
    await writeNotices(ctx, tx, holders, { kind, targetType: "tenant", targetId: tenantId, data: {} });
  });
}

/** The policy can be read again: in the transaction that sees to it. */
export function takeBackUnreadable(ctx: Ctx, tx: Tx): Promise<void> {
  return withdrawNotices(ctx, tx, kind);
}
