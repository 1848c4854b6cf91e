import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { logger } from "../server/kernel/log.ts";
import { testDatabase } from "../server/testing/database.ts";
import { Presence } from "./presence.ts";

const database = await testDatabase();
const share = { limited: () => [], onSharers: () => undefined };
const opened: Presence[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((presence) => presence.close()));
});

async function begin(name: string, silenceMs: number) {
  const onLost = vi.fn();
  const deps = { db: database.worker, log: logger(), onLost, silenceMs };
  const presence = await Presence.open({ name, lanes: ["bulk"] }, deps);
  opened.push(presence);
  presence.watch(share);
  return onLost;
}

test("a process whose session gets no answer any more is told to end, though nobody has closed the session", async () => {
  const onLost = await begin("mute", 300);
  await sleep(1_500);
  expect(onLost).not.toHaveBeenCalled();
  const holder = await database.owner.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT FROM worker_processes WHERE name = 'mute' FOR UPDATE");
  await vi.waitFor(() => expect(onLost).toHaveBeenCalled(), 5_000);
  expect(onLost.mock.calls[0]?.[0]).toMatchObject({
    message: expect.stringContaining("does not answer") as string,
  });
  await holder.query("ROLLBACK");
  holder.release();
});

test("a pause of the database that is shorter ends nothing", async () => {
  const onLost = await begin("patient", 10_000);
  const holder = await database.owner.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT FROM worker_processes WHERE name = 'patient' FOR UPDATE");
  await sleep(2_500);
  await holder.query("ROLLBACK");
  holder.release();
  await sleep(1_500);
  expect(onLost).not.toHaveBeenCalled();
});
