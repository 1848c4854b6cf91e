import type { Db } from "./db.ts";
import type { Logger } from "./log.ts";

/** Who is acting. */
export type Actor =
  | { type: "user"; id: string; name: string; email: string }
  | { type: "apiKey"; id: string; name: string }
  | { type: "system"; id: null; name: string };

/** A set of permissions and where it applies; an empty field means everywhere. */
export interface Grant {
  permissions: ReadonlySet<string>;
  unitId: string | null;
  applicationId: string | null;
  environmentId: string | null;
}

/** The first argument of every use case: tenant, actor, database, clock, log. */
export interface Ctx {
  db: Db;
  tenantId: string;
  actor: Actor;
  grants: readonly Grant[];
  /** Correlates logs, audit events and error answers. */
  requestId: string;
  log: Logger;
  now(): Date;
}
