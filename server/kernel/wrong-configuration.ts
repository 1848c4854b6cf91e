import type pg from "pg";

/*
 * Apart from db.ts, which needs the generated database client: what starts an installation runs before there is one.
 */

/** An address or a login that cannot work, however often it is tried. */
export class WrongConfiguration extends Error {
  constructor(what: string, options?: ErrorOptions) {
    super(`Wrong configuration: ${what}`, options);
  }
}

/**
 * Throws when something between the process and Postgres shares sessions: what answers is not the backend that greeted.
 * @param variable what holds its address
 */
export async function refusePooler(client: pg.Client, variable: string): Promise<void> {
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  const { processID: greeted } = client as pg.Client & { processID: number | null };
  if (rows[0]?.pid === greeted) return;
  throw new WrongConfiguration(
    `${variable} leads to a connection pooler, and this needs a session of its own. Set it to the address of Postgres itself.`,
  );
}
