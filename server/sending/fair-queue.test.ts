import { expect, test } from "vitest";
import { FairQueue } from "./fair-queue.ts";

test("a tenant with one message waits for one message of a tenant with a thousand", async () => {
  const queue = new FairQueue(2);
  const order: string[] = [];
  const work = (tenant: string) =>
    queue.run(tenant, async () => {
      order.push(tenant);
      await new Promise(setImmediate);
    });
  const flood = Array.from({ length: 1_000 }, () => work("flood"));
  const single = work("single");
  await single;
  expect(order.indexOf("single")).toBeLessThanOrEqual(4);
  await Promise.all(flood);
  expect(order).toHaveLength(1_001);
});

test("never more run at once than there are places, and an error releases its place", async () => {
  const queue = new FairQueue(3);
  let inside = 0;
  let most = 0;
  const results = await Promise.allSettled(
    Array.from({ length: 50 }, (_, index) =>
      queue.run(String(index % 4), async () => {
        most = Math.max(most, ++inside);
        await new Promise(setImmediate);
        inside--;
        if (index % 2 === 0) throw new Error("broken");
      }),
    ),
  );
  expect(most).toBe(3);
  expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(25);
});
