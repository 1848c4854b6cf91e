import type { Db } from "../kernel/db.ts";
import { inTransaction } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import type { Logger } from "../kernel/log.ts";
import { refuseSuspended } from "../tenancy/suspension.ts";
import {
  claimDueBroadcasts,
  leaveOut,
  lockRunning,
  postponeBroadcast,
  selectCancelable,
  settleReleased,
  writeProgress,
} from "./broadcast-queries.ts";
import type { Progress, RunningBroadcast } from "./broadcast-queries.ts";
import { broadcastRules } from "./broadcast-rules.ts";
import { unsent } from "./delivery-policy.ts";
import { listRecipients, problemOf } from "./list-recipients.ts";
import type { Client, Step } from "./list-recipients.ts";
import { callAdvance } from "./queries.ts";
import { releaseRecipients } from "./release-recipients.ts";

/** After these nothing of a broadcast can be sent. */
const ofTheWhole: readonly string[] = [
  "unknown_application",
  "unknown_notification_type",
  "environment_mismatch",
];

/**
 * Carries broadcasts on: lists their recipients, and hands over few messages at a time, so that a hundred thousand recipients fill no
 * queue, delay nobody and can be paused. Each step is one transaction that locks the broadcast and records how far it is: whatever
 * happens to a process, no recipient is written to twice and none is forgotten.
 */
export class Broadcasts {
  private readonly deps: { db: Db; log: Logger };
  private timer: NodeJS.Timeout | undefined;
  private underWay: Promise<unknown> = Promise.resolve();
  private closed = false;

  constructor(deps: { db: Db; log: Logger }) {
    this.deps = deps;
  }

  /** Starts looking for broadcasts that are due, several times a second while there are any. */
  start(): void {
    const look = (): void => {
      this.underWay = this.tick()
        .catch((error: unknown) => {
          this.deps.log.warn({ err: error }, "looking for broadcasts failed");
          return 0;
        })
        .then((found) => {
          if (!this.closed) this.timer = setTimeout(look, found > 0 ? 20 : broadcastRules.every);
        });
    };
    look();
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.underWay;
  }

  /** One step of each broadcast that is due; returns how many there were. */
  async tick(): Promise<number> {
    const { db } = this.deps;
    const due = await claimDueBroadcasts(db, { limit: broadcastRules.atOnce, leaseMs: broadcastRules.lease });
    await Promise.all(due.map((key) => this.step(key)));
    return due.length;
  }

  private async step(key: { tenantId: string; id: string }): Promise<void> {
    const { db, log } = this.deps;
    try {
      await refuseSuspended(db, key.tenantId);
      const undo = await inTransaction(db.pool, "BEGIN", async (client) => {
        const broadcast = await lockRunning(client, key);
        if (!broadcast) return undefined;
        const step = await nextStep(db, client, broadcast).catch(endIfHopeless);
        await writeProgress(client, key, { ...unchanged(broadcast), ...step.progress });
        return step.afterCommit;
      });
      undo?.();
    } catch (error) {
      log.warn({ err: error, ...key }, "a step of a broadcast failed; it is tried again");
      const problem = error instanceof DomainError ? problemOf(error) : null;
      const retryMs =
        error instanceof DomainError && error.retryAfter !== undefined ? error.retryAfter * 1_000 : 0;
      await postponeBroadcast(
        db,
        key,
        problem,
        Math.max(broadcastRules.pauseAfterFault, Math.min(retryMs, 60_000)),
      );
    }
  }
}

function endIfHopeless(error: unknown): Step {
  if (!(error instanceof DomainError) || !ofTheWhole.includes(error.code)) throw error;
  return { progress: { state: "failed", problem: problemOf(error), ended: true } };
}

function unchanged(broadcast: RunningBroadcast): Progress {
  const { state, listingGroup, listingAfter, total, released, leftOut, forecast, window } = broadcast;
  return {
    ...{ state, listingGroup, listingAfter, total, released, leftOut, forecast, window },
    problem: null,
    hasReleased: false,
    wakeInMs: null,
    ended: false,
  };
}

async function nextStep(db: Db, client: Client, broadcast: RunningBroadcast): Promise<Step> {
  switch (broadcast.state) {
    case "listing":
      return listRecipients(db, client, broadcast);
    case "sending":
      return send(db, client, broadcast);
    case "canceling":
      return cancel(client, broadcast);
    case "ready":
      // Nobody has started it.
      return { progress: { state: "canceling", wakeInMs: 0 } };
    default:
      return { progress: { problem: broadcast.problem } };
  }
}

async function send(db: Db, client: Client, broadcast: RunningBroadcast): Promise<Step> {
  if (broadcast.pausedAt) return { progress: {} };
  const { total, released, leftOut, now, endsAt, firstPosition } = broadcast;
  const isOver = endsAt !== null && endsAt <= now;
  if (isOver && released < total) {
    const count = await leaveOut(
      client,
      broadcast,
      firstPosition + released,
      broadcastRules.ended.leftOut,
      "expired",
    );
    return { progress: { released: released + count, leftOut: leftOut + count, wakeInMs: 0 } };
  }
  const { underWay, hasParked } = await settleReleased(client, broadcast, {
    parkedToo: released === total,
    limit: 2 * broadcastRules.window.most,
  });
  if (released === total) {
    if (underWay === 0 && !hasParked) return { progress: { state: "finished", ended: true } };
    return {
      progress: { wakeInMs: underWay > 0 ? 2 * broadcastRules.every : broadcastRules.everyWhileParked },
    };
  }
  return releaseRecipients(db, client, broadcast, underWay);
}

/** How a canceled broadcast's messages end. */
const whyCanceled = {
  canceled: "The broadcast was canceled.",
  inDoubt: "The broadcast was canceled while the provider had not confirmed it. It isn't retried.",
};

async function cancel(client: Client, broadcast: RunningBroadcast): Promise<Step> {
  const { total, released, leftOut, firstPosition } = broadcast;
  const limits = broadcastRules.ended;
  if (released < total) {
    const count = await leaveOut(client, broadcast, firstPosition + released, limits.leftOut, "canceled");
    return { progress: { released: released + count, leftOut: leftOut + count, wakeInMs: 0 } };
  }
  const open = await selectCancelable(client, broadcast, limits.canceled);
  const { tenantId } = broadcast;
  const canceled = await callAdvance(
    { pool: client },
    tenantId,
    open.map(({ id, unknownOutcomes }) => ({
      ...{ tenantId, id, kind: "transition" as const },
      ...unsent(unknownOutcomes, whyCanceled),
    })),
  );
  if (canceled.length > 0) return { progress: { wakeInMs: 0 } };
  // Those that a provider is being called for end by themselves; one that fails and would be tried again is canceled then.
  const { underWay } = await settleReleased(client, broadcast, {
    parkedToo: true,
    limit: 2 * broadcastRules.window.most,
  });
  return underWay > 0
    ? { progress: { wakeInMs: 2 * broadcastRules.every } }
    : { progress: { state: "canceled", ended: true } };
}
