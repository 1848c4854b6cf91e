import type { Tx } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import type { Gates } from "./schemas.ts";

/**
 * Locks an application's pipeline until the transaction ends: exclusively for changes of its stages, shared for moving
 * templates in it. Statements after it see the present stages, which stay.
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

/**
 * Writes an application's stages, the first one first, in the place of those that it had. Throws `conflict` when one of the
 * environments was deleted; none is until the transaction ends.
 */
export async function replaceStages(
  tx: Tx,
  tenantId: string,
  applicationId: string,
  stages: readonly { environmentId: string; gates: Gates }[],
): Promise<void> {
  const held = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM environments WHERE tenant_id = ${tenantId}::uuid
      AND id = ANY (${stages.map(({ environmentId }) => environmentId)}::uuid[])
    ORDER BY id FOR UPDATE`;
  if (held.length < stages.length) {
    throw new DomainError(
      "conflict",
      "An environment of these stages was deleted. Look at the pipeline again.",
    );
  }
  await tx.pipelineStage.deleteMany({ where: { tenantId, applicationId } });
  await tx.pipelineStage.createMany({
    data: stages.map(({ environmentId, gates }, position) => ({
      tenantId,
      applicationId,
      position,
      environmentId,
      gates,
    })),
  });
}
