import { recordAudit } from "../audit/record-audit.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { logger } from "../kernel/log.ts";
import { wasTold, writeNotices } from "../notices/write-notices.ts";
import type { SignInRow } from "./queries.ts";
import type { CountedAttempt } from "./sign-in-limits.ts";
import { systemCtx } from "./system-ctx.ts";

const kind = "sign_in.failed";
/** Failures from one place, and from all together, after which the person is told: where tries begin to slow down. */
const noticeAfter = { failures: 5, accountFailures: 20 };

/**
 * Writes a failed sign-in to the audit trail and, after several, notifies the person in the portal, at most once an
 * hour. Their number is bounded by the slowing down of sign-ins. Never throws.
 */
export async function notifyFailedSignIns(
  db: Db,
  person: SignInRow,
  counted: Pick<CountedAttempt, "failures" | "accountFailures">,
  requestId: string,
): Promise<void> {
  const ctx = systemCtx(db, person.tenantId, "Sign-in", requestId);
  const failures = Math.max(counted.failures, counted.accountFailures);
  const about = { targetType: "user", targetId: person.userId };
  try {
    await inTenant(ctx, async (tx) => {
      await recordAudit(ctx, tx, { action: kind, ...about, data: { failures } });
      if (
        counted.failures !== noticeAfter.failures &&
        counted.accountFailures !== noticeAfter.accountFailures
      ) {
        return;
      }
      await recordAudit(ctx, tx, { action: "sign_in.slowed", ...about, data: { failures } });
      if (await wasTold(ctx, tx, { userId: person.userId, kind, hours: 1 })) return;
      await writeNotices(ctx, tx, [person.userId], { kind, ...about, data: { failures } });
    });
  } catch (error) {
    logger().warn({ err: error, tenantId: person.tenantId }, "a failed sign-in was not recorded");
  }
}
