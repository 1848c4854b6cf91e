import { expect, test } from "vitest";
import { inTurns } from "./batcher.ts";

test("a queue does one piece of work at a time, in order, and urgent work first", async () => {
  const inTurn = inTurns(1);
  const done: string[] = [];
  let running = 0;
  const work = (name: string) => async () => {
    expect(++running).toBe(1);
    await Promise.resolve();
    running--;
    done.push(name);
  };
  await Promise.all([
    inTurn(work("running")),
    inTurn(work("first")),
    inTurn(work("second")),
    inTurn(work("soon"), "soon"),
  ]);
  expect(done).toEqual(["running", "soon", "first", "second"]);
});

test("work that fails makes room for the next", async () => {
  const inTurn = inTurns(1);
  const failed = inTurn(() => Promise.reject(new Error("broken")));
  const next = inTurn(() => Promise.resolve());
  await expect(failed).rejects.toThrow("broken");
  await next;
});
