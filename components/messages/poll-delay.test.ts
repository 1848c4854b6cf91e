import { expect, test } from "vitest";
import { portalCallsPerMinute } from "../../server/trpc/portal-rate-limit.ts";
import { pollDelay, pollDelayOf } from "./poll-delay.ts";

const created = Date.parse("2026-11-25T14:00:00Z");
const changed = created + 60_000;
const at = (time: number) => new Date(time).toISOString();
const timeline = (status: "queued" | "sent" | "delivered", final: boolean, ...states: string[]) => ({
  notification: { status, final, createdAt: at(created), events: [{ at: at(created) }, { at: at(changed) }] },
  webhooks: states.map((state) => ({ state })),
});

test("a message on its way is asked about every second at first, then every ten", () => {
  expect(pollDelay(timeline("queued", false), created + 5_000)).toBe(1000);
  expect(pollDelay(timeline("sent", false), created + 600_000)).toBe(10_000);
});

test("one that has ended is asked about while a webhook of it is pending, for some minutes", () => {
  expect(pollDelay(timeline("delivered", true, "delivered", "pending"), changed + 1_000)).toBe(5000);
  expect(pollDelay(timeline("delivered", true, "delivered", "pending"), changed + 600_000)).toBe(false);
  expect(pollDelay(timeline("delivered", true, "delivered", "failed"), changed + 1_000)).toBe(false);
  expect(pollDelay(timeline("delivered", true), changed + 1_000)).toBe(false);
});

test("twenty messages that are watched together take less than half of the calls that a person has a minute", () => {
  const delay = pollDelayOf(20, timeline("queued", false), created + 5_000);
  expect((60_000 / Number(delay)) * 20).toBeLessThan(portalCallsPerMinute / 2);
  expect(pollDelayOf(1, timeline("queued", false), created + 5_000)).toBe(1000);
  expect(pollDelayOf(20, timeline("delivered", true), created + 5_000)).toBe(false);
});
