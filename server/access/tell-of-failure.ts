import { recordAudit } from "../audit/record-audit.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { logger } from "../kernel/log.ts";
import { hasRecentNotice } from "./queries.ts";
import type { SignInRow } from "./queries.ts";
import type { CountedTry } from "./sign-in-limits.ts";
import { systemCtx } from "./system-ctx.ts";

/** Failures from one place, and from all together, after which the person is told: where tries begin to slow down. */
const toldAfter = { failures: 5, accountFailures: 20 };

/**
 * Writes a failed sign-in into the organisation's audit trail, and tells the person once an hour in the portal when there
 * were several. How many there can be is bounded by how sign-ins slow down. Never throws.
 */
export async function tellOfFailure(
  db: Db,
  person: SignInRow,
  counted: Pick<CountedTry, "failures" | "accountFailures">,
  requestId: string,
): Promise<void> {
  const ctx = systemCtx(db, person.tenant_id, "Sign-in", requestId);
  const failures = Math.max(counted.failures, counted.accountFailures);
  const about = { targetType: "user", targetId: person.user_id };
  try {
    await inTenant(ctx, async (tx) => {
      await recordAudit(ctx, tx, { action: "sign_in.failed", ...about, data: { failures } });
      if (counted.failures !== toldAfter.failures && counted.accountFailures !== toldAfter.accountFailures) {
        return;
      }
      await recordAudit(ctx, tx, { action: "sign_in.slowed", ...about, data: { failures } });
      if (await hasRecentNotice(tx, person.tenant_id, person.user_id)) return;
      await tx.notice.create({
        data: {
          tenantId: person.tenant_id,
          id: newId(),
          userId: person.user_id,
          kind: "sign_in.failed",
          ...about,
          data: { failures },
          createdAt: ctx.now(),
        },
      });
    });
  } catch (error) {
    logger().warn({ err: error, tenantId: person.tenant_id }, "a failed sign-in was not recorded");
  }
}
