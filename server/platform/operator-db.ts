import type pg from "pg";
import type { Db } from "../kernel/db.ts";

/** Operators' doors: the tables' owner for what belongs to no tenant, the worker's role for what is a tenant's. */
export interface OperatorDb {
  owner: Pick<pg.Pool, "query">;
  db: Db;
}
