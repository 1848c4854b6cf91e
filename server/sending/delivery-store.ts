import { Batcher } from "../kernel/batcher.ts";
import type { InTurn } from "../kernel/batcher.ts";
import type { Db } from "../kernel/db.ts";
import { isStatementError } from "../kernel/unavailable.ts";
import type { Change, ClaimChange, NotificationChange, NotificationTarget } from "./notification-change.ts";
import { callAdvance, selectDeliveries } from "./queries.ts";
import type { AppliedChange, Delivery, DeliveryKey } from "./queries.ts";
import type { RefusalCode } from "./refusal.ts";

/** How a lane's deliveries share round trips; see Batcher. `maxParallel`: 2 unless told. */
export interface Batching {
  delayMs: number;
  maxItems: number;
  maxParallel?: number;
  inTurn?: InTurn;
}

/** What a lane's deliveries read and write. Concurrent loads, claims and other changes share round trips. */
export class DeliveryStore {
  private readonly loads: Batcher<DeliveryKey, Delivery | null>;
  private readonly claims: Batcher<NotificationChange, AppliedChange | null>;
  private readonly changes: Batcher<NotificationChange, AppliedChange | null>;

  constructor(db: Db, batching: Batching) {
    const options = { maxParallel: 2, ...batching };
    const { inTurn } = batching;
    this.loads = new Batcher(async (wanted) => {
      const deliveries = await selectDeliveries(db, wanted);
      const byId = new Map(deliveries.map((delivery) => [delivery.id, delivery]));
      return wanted.map((item) => byId.get(item.notificationId) ?? null);
    }, options);
    const advance = async (changes: NotificationChange[]) => {
      const applied = await callAdvance(db, null, changes);
      const byId = new Map(applied.map((row) => [row.id, row]));
      return changes.map((change) => byId.get(change.id) ?? null);
    };
    const exclusiveKey = (change: NotificationChange) => change.id;
    // After a lost connection it is unknown whether a claim was made; retried alone it would look as if it was not.
    this.claims = new Batcher(advance, {
      ...options,
      exclusiveKey,
      retryAlone: isStatementError,
      // A slot at the provider is idle until the claim is made.
      ...(inTurn && { inTurn: (flush: () => Promise<void>) => inTurn(flush, "soon") }),
    });
    this.changes = new Batcher(advance, { ...options, exclusiveKey });
  }

  /** Null: the message no longer exists. */
  load(key: DeliveryKey): Promise<Delivery | null> {
    return this.loads.add(key);
  }

  /** The number of the new attempt, or why there must be none; null: another process has the message, or it is done. */
  async claim(
    claim: NotificationTarget & ClaimChange,
  ): Promise<number | RefusalCode | "frequency_cap" | null> {
    const applied = await this.claims.add(claim);
    return applied && (applied.refused ?? applied.attempt);
  }

  /** Null: the state machine does not allow it. */
  write(change: NotificationTarget & Exclude<Change, ClaimChange>): Promise<AppliedChange | null> {
    return this.changes.add(change);
  }
}
