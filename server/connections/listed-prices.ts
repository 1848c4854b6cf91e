/** Up to when the prices of a connection's messages have been listed (worker's role). */
import type { Db } from "../kernel/db.ts";

/** The enabled connections of all tenants whose adapter is one of these, the one that waits longest first. */
export async function pricedConnections(
  db: Db,
  adapters: readonly string[],
): Promise<{ tenantId: string; id: string; listedTo: Date | null }[]> {
  const { rows } = await db.pool.query<{ tenantId: string; id: string; listedTo: Date | null }>(
    `SELECT tenant_id AS "tenantId", id, prices_listed_to AS "listedTo" FROM provider_connections
     WHERE adapter = ANY ($1::text[]) AND enabled ORDER BY prices_listed_to NULLS FIRST, id`,
    [adapters],
  );
  return rows;
}

export async function setListedTo(db: Db, tenantId: string, connectionId: string, at: Date): Promise<void> {
  await db.pool.query(
    "UPDATE provider_connections SET prices_listed_to = $3 WHERE tenant_id = $1 AND id = $2",
    [tenantId, connectionId, at],
  );
}
