import type { Tx } from "../kernel/db.ts";

/**
 * Holds an application's pipeline until the transaction ends: whoever changes its stages holds it alone, whoever moves
 * templates in it does so together with others. Statements after it see the stages as they are and stay.
 */
export async function lockPipeline(
  tx: Tx,
  tenantId: string,
  applicationId: string,
  mode: "to change" | "to use",
): Promise<void> {
  const key = `pipeline ${tenantId} ${applicationId}`;
  if (mode === "to change") await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`;
  else await tx.$executeRaw`SELECT pg_advisory_xact_lock_shared(hashtextextended(${key}, 0))`;
}
