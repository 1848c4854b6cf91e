import fc from "fast-check";
import { expect, test } from "vitest";
import { Semaphore } from "./semaphore.ts";

const never = new AbortController().signal;

test("so many are inside at once, the others come in by turn, and nobody is forgotten", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.record({ steps: fc.integer({ min: 0, max: 4 }), givesUp: fc.boolean() }), {
        maxLength: 30,
      }),
      async (count, callers) => {
        const slots = new Semaphore(count);
        let inside = 0;
        let most = 0;
        const order: number[] = [];
        await Promise.all(
          callers.map(async ({ steps, givesUp }, index) => {
            const caller = new AbortController();
            const taking = slots.acquire(caller.signal);
            if (givesUp) caller.abort(new Error("gave up"));
            const leave = await taking.catch(() => undefined);
            if (!leave) return;
            order.push(index);
            most = Math.max(most, ++inside);
            for (let i = 0; i < steps; i++) await Promise.resolve();
            inside -= 1;
            leave();
            leave();
          }),
        );
        expect(most).toBeLessThanOrEqual(count);
        expect(order).toEqual([...order].sort((a, b) => a - b));
        // Every slot is free again.
        const again = await Promise.all(Array.from({ length: count }, () => slots.acquire(never)));
        expect(again).toHaveLength(count);
      },
    ),
  );
});

test("who finds too many waiting is refused, and who gives up waits no more", async () => {
  const slots = new Semaphore(1, { max: 1, refusal: () => new Error("too many") });
  const leave = await slots.acquire(never);
  const caller = new AbortController();
  const waiting = slots.acquire(caller.signal);
  await expect(slots.acquire(never)).rejects.toThrow("too many");
  caller.abort(new Error("gave up"));
  await expect(waiting).rejects.toThrow("gave up");
  const next = slots.acquire(never);
  leave();
  (await next)();
});
