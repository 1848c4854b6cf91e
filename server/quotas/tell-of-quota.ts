import { findHolders } from "../access/find-holders.ts";
import { systemCtx } from "../access/system-ctx.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { writeNotices } from "../notices/write-notices.ts";
import { dateOf } from "./periods.ts";
import type { Period } from "./periods.ts";
import { noteWarning } from "./queries.ts";

/** Beyond this nobody feels responsible. */
const maxTold = 200;

/** How much of a quota is used. */
export interface QuotaLevel {
  period: Period;
  /** The first day of the period. */
  startsOn: number;
  allowed: number;
  used: number;
  percent: 80 | 100;
}

/**
 * Tells those who set up an organisation that a quota is nearly or all used up, and its audit trail: once in a period
 * for each amount of the quota, however many processes notice.
 */
export async function tellOfQuota(db: Db, tenantId: string, level: QuotaLevel): Promise<void> {
  const { period, allowed, used, percent } = level;
  const ctx = systemCtx(db, tenantId, "Quotas");
  await inTenant(ctx, async (tx) => {
    const startsOn = dateOf(level.startsOn);
    if (!(await noteWarning(tx, tenantId, { period, startsOn, allowed, percent }))) return;
    const kind = percent === 100 ? "quota.used_up" : "quota.nearly_used_up";
    const about = { kind, targetType: "tenant", targetId: tenantId } as const;
    const holders = await findHolders(tx, tenantId, {
      permission: "organization:manage",
      unitId: null,
      limit: maxTold,
    });
    await writeNotices(ctx, tx, holders, { ...about, data: { period, allowed } });
    await recordAudit(ctx, tx, {
      action: kind,
      targetType: "tenant",
      targetId: tenantId,
      data: { period, startsOn, allowed, used },
    });
  });
}
