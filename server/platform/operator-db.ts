import type pg from "pg";
import type { Db } from "../kernel/db.ts";

/** Operators' database access: the tables' owner for what belongs to no tenant, the worker's role for tenants' data. */
export interface OperatorDb {
  owner: Pick<pg.Pool, "query">;
  db: Db;
}
