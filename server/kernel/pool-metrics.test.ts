import { register } from "prom-client";
import { expect, it } from "vitest";
import { testDatabase } from "../testing/database.ts";
import { openPool } from "./db.ts";
import { watchPool } from "./pool-metrics.ts";

const database = await testDatabase();

async function line(name: string, labels: string): Promise<number> {
  const text = await register.metrics();
  return Number(
    text
      .split("\n")
      .find((one) => one.startsWith(`${name}{${labels}} `))
      ?.split(" ")[1],
  );
}

it("a pool's size, use and waiting statements go up and down again", async () => {
  const pool = openPool("worker", database.workerUrl, 2);
  watchPool("test", pool);
  const state = async () => ({
    size: await line("tidings_db_pool_size", 'pool="test"'),
    idle: await line("tidings_db_pool_connections", 'pool="test",state="idle"'),
    inUse: await line("tidings_db_pool_connections", 'pool="test",state="in_use"'),
    waiting: await line("tidings_db_pool_waiting", 'pool="test"'),
  });
  expect(await state()).toEqual({ size: 2, idle: 0, inUse: 0, waiting: 0 });
  const [one, two] = [await pool.connect(), await pool.connect()];
  const three = pool.query("SELECT 1");
  expect(await state()).toEqual({ size: 2, idle: 0, inUse: 2, waiting: 1 });
  one.release();
  await three;
  expect(await state()).toEqual({ size: 2, idle: 1, inUse: 1, waiting: 0 });
  two.release();
  expect(await state()).toEqual({ size: 2, idle: 2, inUse: 0, waiting: 0 });
  await pool.end();
});
