import { expect, test } from "vitest";
import { logger } from "../server/kernel/log.ts";
import { testDatabase } from "../server/testing/database.ts";
import { HoldGate } from "./hold-gate.ts";

const database = await testDatabase();
const gate = () => new HoldGate({ db: database.worker, log: logger() });
const nothing = () => Promise.resolve();
const hold = "INSERT INTO sending_holds (held_at, held_by, reason) VALUES (now(), 'test', 'to see')";
const settled = (work: Promise<boolean>, ms: number) =>
  Promise.race([work, new Promise<string>((resolve) => setTimeout(resolve, ms, "waits"))]);

test("a worker that can't read whether sending is on hold doesn't begin, and begins when it can", async () => {
  await database.owner.query("REVOKE SELECT ON sending_holds FROM tidings_worker");
  let waiting = 0;
  const released = gate().released(async () => {
    waiting++;
    await nothing();
  });
  expect(await settled(released, 1_500)).toBe("waits");
  await database.owner.query("GRANT SELECT ON sending_holds TO tidings_worker");
  expect(await settled(released, 3_000)).toBe(true);
  expect(waiting).toBe(1);
});

test("a worker that waits for the release ends when it is asked to, without having begun", async () => {
  await database.owner.query(hold);
  const one = gate();
  const released = one.released(nothing);
  expect(await settled(released, 300)).toBe("waits");
  one.close();
  expect(await settled(released, 1_000)).toBe(false);
  await database.owner.query("DELETE FROM sending_holds");
});

test("a worker that is asked to end while it looks does not begin", async () => {
  const one = gate();
  const released = one.released(nothing);
  one.close();
  expect(await released).toBe(false);
});

test("a hold that begins ends a working process once; a look that fails doesn't", async () => {
  const one = gate();
  expect(await one.released(nothing)).toBe(true);
  let ended = 0;
  one.watch(() => ended++);
  await database.owner.query("REVOKE SELECT ON sending_holds FROM tidings_worker");
  await new Promise((resolve) => setTimeout(resolve, 1_300));
  expect(ended).toBe(0);
  await database.owner.query("GRANT SELECT ON sending_holds TO tidings_worker");
  await database.owner.query(hold);
  await expect.poll(() => ended, { timeout: 4_000 }).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(ended).toBe(1);
});
