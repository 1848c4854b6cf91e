import { findHolders } from "../access/find-holders.ts";
import { systemCtx } from "../access/system-ctx.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { alone } from "../kernel/alone.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { settleNotices, withoutOpenNotice, writeNotices } from "../notices/write-notices.ts";
import { enqueueWebhookEvent } from "../webhooks/enqueue-webhook-event.ts";
import { forgetHolds } from "./holds.ts";
import { selectChanges, upsertStanding } from "./queries.ts";
import type { Change } from "./queries.ts";
import { rateText } from "./rates.ts";

/** Beyond this nobody feels responsible. */
const maxTold = 200;
/** Organisations and groups that one run changes; new holds come first and the rest is the next run's. */
const mostChanged = 200;

/**
 * Compares the figures of all organisations with the thresholds: warns, holds marketing to a group of mailboxes, and ends holds whose
 * figures are better again. Returns how many standings changed.
 */
export async function judgeStandings(db: Db): Promise<number> {
  const changes = await selectChanges(db, mostChanged);
  let changed = 0;
  for (const change of changes)
    await alone(change.tenantId, "a standing of mails could not be changed", async () => {
      if (await enter(db, change)) changed++;
    });
  return changed;
}

async function enter(db: Db, change: Change): Promise<boolean> {
  const { tenantId, group, was, level } = change;
  const ctx = systemCtx(db, tenantId, "Deliverability");
  const entered = await inTenant(ctx, async (tx) => {
    const standing = await upsertStanding(tx, { ...change, id: newId(), at: ctx.now() });
    if (!standing) return false;
    if (level === was) return true;
    const target = { targetType: "mail_standing", targetId: standing.id };
    const figures = figuresOf(change);
    const tell = async (kind: "mail.held" | "mail.hold_ended" | "mail.warned") => {
      const holders = await findHolders(tx, tenantId, {
        permission: "routing:manage",
        unitId: null,
        limit: maxTold,
      });
      const untold = await withoutOpenNotice(ctx, tx, holders, { kind, targetId: standing.id });
      const reason = change.cause ? rateText(change.cause, change) : "";
      await writeNotices(ctx, tx, untold, { kind, ...target, data: { group, reason } });
    };
    const announce = (code: string) =>
      enqueueWebhookEvent(ctx, tx, {
        event: "processing.error",
        applicationId: null,
        environmentId: null,
        sandbox: false,
        payload: { code, ...figures },
      });
    if (level === "held") {
      await settleNotices(ctx, tx, { kind: "mail.hold_ended", targetId: standing.id });
      await tell("mail.held");
      await announce("mail_held");
      await recordAudit(ctx, tx, {
        action: "mail_hold.began",
        ...target,
        before: { level: was },
        after: { level },
        data: figures,
      });
    } else if (was === "held") {
      await settleNotices(ctx, tx, { kind: "mail.held", targetId: standing.id });
      await tell("mail.hold_ended");
      await announce("mail_hold_ended");
      await recordAudit(ctx, tx, {
        action: "mail_hold.ended",
        ...target,
        before: { level: was },
        after: { level },
        data: figures,
      });
    } else if (level === "warned") {
      if (standing.warned) await tell("mail.warned");
    } else {
      await settleNotices(ctx, tx, { kind: "mail.warned", targetId: standing.id });
    }
    return true;
  });
  if (entered) forgetHolds(tenantId);
  return entered;
}

export const figuresOf = (
  change: Omit<Change, "was" | "level" | "tenantId">,
): Pick<Change, "group" | "cause" | "delivered" | "unconfirmed" | "bounced" | "complained"> => {
  const { group, cause, delivered, unconfirmed, bounced, complained } = change;
  return { group, cause, delivered, unconfirmed, bounced, complained };
};
