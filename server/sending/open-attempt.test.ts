import { describe, expect, it, vi } from "vitest";
import { makeDelivery } from "../testing/delivery.ts";
import { HeldAttempts } from "./held-attempts.ts";
import { attemptLostAfter } from "./message-class.ts";
import { attemptIsUnderWay, outcomeOfLost } from "./open-attempt.ts";

const now = new Date("2027-03-01T12:00:00.000Z");
const opened = (worker: string, msAgo = 0) =>
  makeDelivery({
    now,
    openAttempt: 1,
    attempts: [
      {
        number: 1,
        connectionId: "c",
        worker,
        outcome: null,
        code: null,
        startedAt: new Date(now.getTime() - msAgo).toISOString(),
        finishedAt: null,
      },
    ],
  });
const isAlive = (worker: string) => Promise.resolve(worker === "other");
const asking = (held = new HeldAttempts()) => ({ worker: "me", held, isAlive });

describe("an open attempt", () => {
  it("is in progress while the process that made it lives, and a minute at most", async () => {
    expect(await attemptIsUnderWay(opened("other"), asking())).toBe(true);
    expect(await attemptIsUnderWay(opened("dead"), asking())).toBe(false);
    expect(await attemptIsUnderWay(opened("other", attemptLostAfter + 1), asking())).toBe(false);
    expect(await attemptIsUnderWay(makeDelivery(), asking())).toBe(false);
  });

  it("of this process is in progress while it holds it, whatever its age", async () => {
    const held = new HeldAttempts();
    expect(await attemptIsUnderWay(opened("me"), asking(held))).toBe(false);
    held.begin("n");
    expect(await attemptIsUnderWay(opened("me", 2 * attemptLostAfter), asking(held))).toBe(true);
  });

  it("was not sent when this process never called the provider, and is in doubt otherwise", async () => {
    const held = new HeldAttempts();
    expect(outcomeOfLost(opened("me"), asking(held))).toMatchObject({
      kind: "not_sent",
      code: "interrupted",
    });
    expect(outcomeOfLost(opened("other"), asking(held))).toMatchObject({
      kind: "unknown",
      code: "worker_lost",
    });
    const broken = held.during("n", () => {
      held.called("n");
      return Promise.reject(new Error("no database"));
    });
    await expect(broken).rejects.toThrow("no database");
    expect(outcomeOfLost(opened("me"), asking(held))).toMatchObject({ kind: "unknown", code: "worker_lost" });
  });

  it("is not begun again while this process is working on it", async () => {
    const held = new HeldAttempts();
    const work = vi.fn(() => Promise.resolve());
    await held.during("n", async () => expect(await held.during("n", work)).toBe(false));
    expect(work).not.toHaveBeenCalled();
    expect(await held.during("n", work)).toBe(true);
    expect(work).toHaveBeenCalledOnce();
  });
});
