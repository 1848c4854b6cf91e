/** Up to when the prices of a connection's messages have been listed (worker's role). */
import type { Db } from "../kernel/db.ts";

export interface ListedConnection {
  tenantId: string;
  id: string;
  listedTo: Date | null;
}

/**
 * The connections of all tenants whose adapter is one of these, the one that waits longest first: those that are on, and those
 * that were changed after `since`, as one that was switched off after it may have sent until then.
 */
export async function pricedConnections(
  db: Db,
  adapters: readonly string[],
  since: Date,
): Promise<ListedConnection[]> {
  const { rows } = await db.pool.query<ListedConnection>(
    `SELECT tenant_id AS "tenantId", id, prices_listed_to AS "listedTo" FROM provider_connections
     WHERE adapter = ANY ($1::text[]) AND (enabled OR updated_at >= $2) ORDER BY prices_listed_to NULLS FIRST, id`,
    [adapters, since],
  );
  return rows;
}

export async function setListedTo(db: Db, tenantId: string, connectionId: string, at: Date): Promise<void> {
  await db.pool.query(
    "UPDATE provider_connections SET prices_listed_to = $3 WHERE tenant_id = $1 AND id = $2",
    [tenantId, connectionId, at],
  );
}
