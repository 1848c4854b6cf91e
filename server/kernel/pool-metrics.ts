import type pg from "pg";
import { gauge } from "./metrics.ts";

const key = Symbol.for("tidings.pools");
// On globalThis because Next may load a module once per bundle.
const shared = globalThis as typeof globalThis & { [key]?: Map<string, pg.Pool> };
const pools = (shared[key] ??= new Map<string, pg.Pool>());

/** Has the metrics say how a pool of database connections is used, by this name. */
export function watchPool(name: string, pool: pg.Pool): void {
  pools.set(name, pool);
  gauge(
    "tidings_db_pool_connections",
    "Database connections of this process that are in use or idle",
    ["pool", "state"],
    (connections) => {
      for (const [of, { totalCount, idleCount }] of pools) {
        connections.set({ pool: of, state: "idle" }, idleCount);
        connections.set({ pool: of, state: "in_use" }, totalCount - idleCount);
      }
    },
  );
  gauge("tidings_db_pool_size", "The most database connections that a pool opens", ["pool"], (size) => {
    for (const [of, { options }] of pools) size.set({ pool: of }, options.max);
  });
  gauge(
    "tidings_db_pool_waiting",
    "Statements that wait for a database connection of this process",
    ["pool"],
    (waiting) => {
      for (const [of, { waitingCount }] of pools) waiting.set({ pool: of }, waitingCount);
    },
  );
}
