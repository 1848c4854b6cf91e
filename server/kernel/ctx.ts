import type { Db } from "./db.ts";
import type { Logger } from "./log.ts";

/** What an agent may do at most, whatever its role. */
export interface AgentLimits {
  id: string;
  /** Messages in any sixty minutes. */
  hourlyCap: number;
  /** It may send beyond the sandbox and the first stage of a pipeline; in production a person approves. */
  laterStages: boolean;
  /** Whether it may write to an address, given in its stored form. */
  allows(address: string): boolean;
}

/** Who is acting. */
export type Actor =
  | { type: "user"; id: string; name: string; email: string }
  /** `agent`: of a key that belongs to an agent. */
  | { type: "apiKey"; id: string; name: string; agent?: AgentLimits }
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
