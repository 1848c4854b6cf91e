import type { Db } from "../kernel/db.ts";

/** The databases of the console: its own role, and the web's for what every visitor may do. */
export interface ConsoleDbs {
  console: Db;
  web: Db;
}

/** The first argument of the console's use cases: who looks or changes something, from where. Of no organisation. */
export interface OperatorCtx extends ConsoleDbs {
  operator: { id: string; name: string; email: string };
  sessionId: string;
  /** The installation asks for a second factor, and the operator has none: they can only set one up. */
  secondFactorMissing: boolean;
  ip: string | null;
  /** Correlates the operator's log with the organisation's trail. */
  requestId: string;
  now(): Date;
}
