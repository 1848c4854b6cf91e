import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { openPool } from "../server/kernel/db.ts";
import { createLogger } from "../server/kernel/log.ts";
import { testDatabase } from "../server/testing/database.ts";
import { queueConnections, startRunner } from "./runners.ts";

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
