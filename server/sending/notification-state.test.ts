import { describe, expect, it } from "vitest";
import { testDatabase } from "../testing/database.ts";
import { mayBecome, notificationStatuses, statusRank } from "./notification-state.ts";
import type { NotificationStatus } from "./notification-state.ts";

const database = await testDatabase();

/** Written out: what each status may become. */
const allowed: Record<NotificationStatus, NotificationStatus[]> = {
  scheduled: ["sending", "sent", "delivered", "failed", "rejected", "expired", "canceled", "undetermined"],
  queued: ["sending", "sent", "delivered", "failed", "rejected", "expired", "canceled", "undetermined"],
  sending: ["sent", "delivered", "failed", "rejected", "expired", "undetermined"],
  sent: ["delivered", "failed", "undetermined"],
  delivered: [],
  failed: [],
  rejected: [],
  expired: [],
  canceled: [],
  undetermined: ["delivered", "failed"],
};
const pairs = notificationStatuses.flatMap((from) => notificationStatuses.map((to) => ({ from, to })));

describe("the states of a notification", () => {
  it("allow exactly the transitions of the table, for every pair", () => {
    for (const { from, to } of pairs) {
      expect(mayBecome(from, to), `${from} → ${to}`).toBe(allowed[from].includes(to));
    }
  });

  it("never go down in rank, and only undetermined is left once it is reached", () => {
    for (const { from, to } of pairs.filter((pair) => mayBecome(pair.from, pair.to))) {
      expect(statusRank(to)).toBeGreaterThanOrEqual(statusRank(from));
      if (statusRank(from) === 3) expect(from).toBe("undetermined");
    }
  });

  it("are the same in the database", async () => {
    const { rows } = await database.owner.query<{ from: string; to: string; may: boolean; rank: number }>(
      `SELECT f AS "from", t AS "to", notification_may_become(f, t) AS may, notification_rank(f) AS rank
       FROM unnest($1::text[]) AS f CROSS JOIN unnest($1::text[]) AS t`,
      [notificationStatuses],
    );
    expect(rows).toHaveLength(pairs.length);
    for (const row of rows) {
      const [from, to] = [row.from as NotificationStatus, row.to as NotificationStatus];
      expect(row.may, `${from} → ${to}`).toBe(mayBecome(from, to));
      expect(row.rank, from).toBe(statusRank(from));
    }
  });
});
