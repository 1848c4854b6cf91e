import type { Tx } from "../kernel/db.ts";

/**
 * Those of the connections that exist; they stay until the transaction ends: whoever deletes one waits, and then finds the
 * rules that name it.
 */
export async function holdConnections(tx: Tx, tenantId: string, ids: string[]): Promise<Set<string>> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM provider_connections WHERE tenant_id = ${tenantId}::uuid AND id = ANY (${ids}::uuid[])
    ORDER BY id FOR KEY SHARE`;
  return new Set(rows.map(({ id }) => id));
}
