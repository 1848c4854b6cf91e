import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { Shares } from "./shares.ts";

/** Work that ends when it is told to, and what is under way of each name. */
function work() {
  const open: { name: string; end: () => void }[] = [];
  const start = (shares: Shares, name: string) =>
    shares.run(name, () => new Promise<void>((resolve) => open.push({ name, end: resolve })));
  return {
    start,
    running: () => open.map(({ name }) => name),
    end: async () => {
      open.shift()?.end();
      await sleep(1);
    },
  };
}

test("each has so much under way at once, and what is more comes in its turn", async () => {
  const shares = new Shares(2, 5_000);
  const { start, running, end } = work();
  const all = ["a", "a", "a", "a", "b"].map((name) => start(shares, name));
  expect(running()).toEqual(["a", "a", "b"]);
  await end();
  expect(running()).toEqual(["a", "b", "a"]);
  await end();
  expect(running()).toEqual(["b", "a", "a"]);
  while (running().length > 0) await end();
  await Promise.all(all);
});

test("who waits for too long is told so, and its place in the line is gone", async () => {
  const shares = new Shares(1, 30);
  const { start, running, end } = work();
  const first = start(shares, "a");
  await expect(start(shares, "a")).rejects.toMatchObject({ code: "rate_limited", retryAfter: 1 });
  await end();
  await first;
  const next = start(shares, "a");
  expect(running()).toEqual(["a"]);
  await end();
  await next;
});

test("work that fails gives its turn on", async () => {
  const shares = new Shares(1, 1_000);
  const failing = shares.run("a", () => Promise.reject(new Error("no")));
  const next = shares.run("a", () => Promise.resolve("yes"));
  await expect(failing).rejects.toThrow("no");
  expect(await next).toBe("yes");
});
