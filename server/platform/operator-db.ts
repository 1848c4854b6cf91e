import type pg from "pg";
import type { Db } from "../kernel/db.ts";

/** Operators' database access: the tables' owner for what belongs to no tenant, the worker's role for tenants' data. */
export interface OperatorDb {
  owner: Pick<pg.Pool, "query">;
  db: Db;
  /** Of the console: the organisation's trail has the same as the operators' log. */
  requestId?: string;
  /** Of the console: an organisation's settings lead the account's credentials nowhere else. */
  keepsAddresses?: boolean;
}
