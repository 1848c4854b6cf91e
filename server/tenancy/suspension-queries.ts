import type { Db, Tx } from "../kernel/db.ts";

export async function selectSuspended(db: Pick<Db, "pool">): Promise<string[]> {
  const { rows } = await db.pool.query<{ id: string }>("SELECT suspended_tenants() AS id");
  return rows.map(({ id }) => id);
}

/** Stops an organisation; false when it was, or does not exist. Over the console's role. */
export async function markSuspended(tx: Tx, tenantId: string, at: Date): Promise<boolean> {
  return (
    (await tx.$executeRaw`
      UPDATE tenants SET suspended_at = ${at}, resumed_at = NULL WHERE id = ${tenantId}::uuid AND suspended_at IS NULL`) ===
    1
  );
}

/** Sets an organisation going again; false when it was not stopped. Over the console's role. */
export async function markResumed(tx: Tx, tenantId: string, at: Date): Promise<boolean> {
  return (
    (await tx.$executeRaw`
      UPDATE tenants SET suspended_at = NULL, resumed_at = ${at} WHERE id = ${tenantId}::uuid AND suspended_at IS NOT NULL`) ===
    1
  );
}

/** Organisations that were set going again so many seconds ago, and whose messages are still held back. Over the worker's role. */
export async function selectResumed(
  db: Pick<Db, "pool">,
  seconds: number,
): Promise<{ id: string; resumedAt: Date }[]> {
  const { rows } = await db.pool.query<{ id: string; resumedAt: Date }>(
    `SELECT id, resumed_at AS "resumedAt" FROM tenants
     WHERE suspended_at IS NULL AND resumed_at < now() - make_interval(secs => $1) ORDER BY random() LIMIT 20`,
    [seconds],
  );
  return rows;
}

/** Nothing of an organisation is held back any more, unless it was stopped or set going again meanwhile. */
export async function clearResumed(db: Pick<Db, "pool">, tenantId: string, resumedAt: Date): Promise<void> {
  await db.pool.query("UPDATE tenants SET resumed_at = NULL WHERE id = $1 AND resumed_at = $2", [
    tenantId,
    resumedAt,
  ]);
}
