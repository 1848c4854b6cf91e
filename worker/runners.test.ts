import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { openPool } from "../server/kernel/db.ts";
import { createLogger } from "../server/kernel/log.ts";
import { testDatabase } from "../server/testing/database.ts";
import { loopbackClient } from "../server/testing/webhook-world.ts";
import { crontab } from "./crontab.ts";
import { queueConnections, startRunner } from "./runners.ts";
import { maintenanceTasks } from "./tasks/maintenance.ts";

const database = await testDatabase();

test("a runner that is stopped under load finishes what runs, gives the rest back untouched and reports no error", async () => {
  const { pool } = database.worker;
  const lines: string[] = [];
  const log = createLogger("warn", { write: (line: string) => void lines.push(line) });
  await database.owner.query(
    "SELECT graphile_worker.add_job('slow', json_build_object('n', n)) FROM generate_series(1, 12) n",
  );
  const [begun, ended] = [vi.fn(), vi.fn()];
  const runner = await startRunner(
    {
      name: "slow",
      concurrency: 2,
      fetch: 8,
      tasks: {
        slow: async () => {
          begun();
          await sleep(300);
          ended();
        },
      },
    },
    { pool, log, onPool: () => undefined },
  );
  await vi.waitFor(() => expect(begun).toHaveBeenCalledTimes(2), { timeout: 5_000, interval: 5 });
  await runner.stop();
  await runner.promise;
  expect([begun.mock.calls.length, ended.mock.calls.length]).toEqual([2, 2]);
  const { rows } = await database.owner.query(
    "SELECT count(*)::int AS jobs, count(locked_at)::int AS locked, sum(attempts)::int AS attempts FROM graphile_worker._private_jobs",
  );
  expect(rows).toEqual([{ jobs: 10, locked: 0, attempts: 0 }]);
  expect(lines).toEqual([]);
});

test("a process with one lane that has many runners fetches jobs for each of them", async () => {
  const names = ["one", "two", "three", "four", "five"];
  const pool = openPool("worker", database.workerUrl, queueConnections(1, names.length));
  const ran = vi.fn();
  const runners = [];
  for (const name of names) {
    const tasks = { [name]: () => ran(name) as undefined };
    const definition = { name, concurrency: 2, fetch: 2, tasks };
    runners.push(
      await startRunner(definition, { pool, log: createLogger("silent"), onPool: () => undefined }),
    );
  }
  for (const name of names) await database.owner.query("SELECT graphile_worker.add_job($1)", [name]);
  await vi.waitFor(() => expect(ran).toHaveBeenCalledTimes(5), { timeout: 10_000, interval: 20 });
  await Promise.all(runners.map((runner) => runner.stop()));
  await pool.end();
});

test("a scheduled job that hangs takes up one slot, however often its time comes, and keeps no other from running", async () => {
  const { pool } = database.worker;
  const [hanging, other] = crontab;
  const tick = (item = hanging) =>
    database.owner.query("SELECT graphile_worker.add_job($1, queue_name => $2, job_key => $3)", [
      item?.task,
      item?.options?.queueName,
      item?.options?.jobKey,
    ]);
  const [hangs, runs] = [vi.fn(), vi.fn()];
  const { promise: hung, resolve: end } = Promise.withResolvers<undefined>();
  const tasks = {
    [hanging?.task ?? ""]: async () => {
      hangs();
      await hung;
    },
    [other?.task ?? ""]: () => runs() as undefined,
  };
  const definition = { name: "clock", concurrency: 2, fetch: 2, tasks };
  const runner = await startRunner(definition, {
    pool,
    log: createLogger("silent"),
    onPool: () => undefined,
  });
  await tick();
  await vi.waitFor(() => expect(hangs).toHaveBeenCalledTimes(1), { timeout: 5_000, interval: 5 });
  for (let minute = 1; minute <= 3; minute++) {
    await tick();
    await tick(other);
    await vi.waitFor(() => expect(runs).toHaveBeenCalledTimes(minute), { timeout: 5_000, interval: 5 });
  }
  expect(hangs).toHaveBeenCalledTimes(1);
  // Once it has ended, it runs once more, not once for each minute.
  end(undefined);
  await vi.waitFor(() => expect(hangs).toHaveBeenCalledTimes(2), { timeout: 5_000, interval: 5 });
  await sleep(600);
  expect(hangs).toHaveBeenCalledTimes(2);
  await runner.stop();
});

test("every scheduled job has a task in one of the runners by the clock", () => {
  const { clock, longClock } = maintenanceTasks({
    db: database.worker,
    http: loopbackClient(),
    log: createLogger("silent"),
    publicUrl: "https://tidings.example",
    onRequeued: () => undefined,
  });
  const tasks = [...Object.keys(clock), ...Object.keys(longClock)];
  expect(new Set(tasks).size).toBe(tasks.length);
  expect(crontab.map(({ task }) => task).filter((task) => !tasks.includes(task))).toEqual([]);
});
