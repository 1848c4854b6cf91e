import { describe, expect, it } from "vitest";
import { testDatabase } from "../testing/database.ts";
import { webhookEvents } from "../webhooks/vocabulary.ts";
import { mayBecome, notificationSignals, notificationStatuses, statusRank } from "./notification-state.ts";
import type { NotificationStatus } from "./notification-state.ts";

const database = await testDatabase();

/** The allowed transitions of each status. */
const allowed: Record<NotificationStatus, NotificationStatus[]> = {
  pending_approval: ["scheduled", "queued", "rejected", "expired", "canceled"],
  scheduled: ["sending", "sent", "delivered", "failed", "rejected", "expired", "canceled", "undetermined"],
  queued: ["sending", "sent", "delivered", "failed", "rejected", "expired", "canceled", "undetermined"],
  sending: ["sent", "delivered", "failed", "rejected", "expired", "undetermined", "canceled"],
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
  it("end, and are distinguished from a recipient's actions, as the database does", async () => {
    const types = [...notificationStatuses, ...notificationSignals];
    const { rows } = await database.owner.query<{ type: string; ends: boolean; action: boolean }>(
      `SELECT t AS type, is_terminal_status(t) AS ends, is_recipient_action(t) AS action
       FROM unnest($1::text[]) WITH ORDINALITY AS u(t, n) ORDER BY n`,
      [types],
    );
    expect(rows).toEqual([
      ...notificationStatuses.map((type) => ({ type, ends: statusRank(type) === 3, action: false })),
      ...notificationSignals.map((type) => ({ type, ends: false, action: true })),
    ]);
  });

  it("are reported by the webhook events that endpoints can ask for", async () => {
    const { rows } = await database.owner.query<{ event: string }>(
      "SELECT webhook_event_of(t) AS event FROM unnest($1::text[]) AS t WHERE webhook_event_of(t) IS NOT NULL",
      [[...notificationStatuses, ...notificationSignals]],
    );
    expect(rows.map((row) => row.event).sort()).toEqual(
      webhookEvents.filter((event) => /^notification\.|^link\.clicked$/.test(event)).sort(),
    );
  });

  it("are those of the indexes over open and failed messages", async () => {
    const listed = async (index: string) => {
      const { rows } = await database.owner.query<{ predicate: string }>(
        "SELECT pg_get_expr(indpred, indrelid) AS predicate FROM pg_index WHERE indexrelid = $1::regclass",
        [index],
      );
      return new Set(Array.from(rows[0]?.predicate.matchAll(/'(\w+)'/g) ?? [], (match) => match[1]));
    };
    const which = (test: (status: NotificationStatus) => boolean) =>
      new Set(notificationStatuses.filter(test));
    expect(await listed("notifications_open_idx")).toEqual(which((status) => statusRank(status) < 2));
    expect(await listed("notifications_unhappy_idx")).toEqual(
      which((status) => statusRank(status) === 3 && status !== "delivered"),
    );
  });
});
