import fc from "fast-check";
import { expect, test } from "vitest";
import { Gate } from "./gate.ts";

const never = new AbortController().signal;

test("so many are inside at once, the others come in by turn, and nobody is forgotten", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.record({ steps: fc.integer({ min: 0, max: 4 }), givesUp: fc.boolean() }), {
        maxLength: 30,
      }),
      async (slots, visitors) => {
        const gate = new Gate(slots, 100);
        let inside = 0;
        let most = 0;
        const order: number[] = [];
        await Promise.all(
          visitors.map(async ({ steps, givesUp }, index) => {
            const caller = new AbortController();
            const entering = gate.enter(caller.signal);
            if (givesUp) caller.abort(new Error("gave up"));
            const leave = await entering.catch(() => undefined);
            if (!leave) return;
            order.push(index);
            most = Math.max(most, ++inside);
            for (let i = 0; i < steps; i++) await Promise.resolve();
            inside -= 1;
            leave();
            leave();
          }),
        );
        expect(most).toBeLessThanOrEqual(slots);
        expect(order).toEqual([...order].sort((a, b) => a - b));
        // Every slot is free again.
        const again = await Promise.all(Array.from({ length: slots }, () => gate.enter(never)));
        expect(again).toHaveLength(slots);
      },
    ),
  );
});

test("who finds too many waiting is sent away, and who gives up waits no more", async () => {
  const gate = new Gate(1, 1);
  const leave = await gate.enter(never);
  const caller = new AbortController();
  const waiting = gate.enter(caller.signal);
  await expect(gate.enter(never)).rejects.toMatchObject({ kind: "unavailable" });
  caller.abort(new Error("gave up"));
  await expect(waiting).rejects.toThrow("gave up");
  const next = gate.enter(never);
  leave();
  (await next)();
});
