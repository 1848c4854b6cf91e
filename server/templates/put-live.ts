import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { lockPipeline } from "../tenancy/pipeline-stages.ts";
import { deployVersion, hasLaterStage } from "./queries.ts";

/**
 * Makes a version live without a promotion, in the caller's transaction: in the first stage and in sandboxes. Returns
 * what was live there before. Throws `conflict` when one of the environments has just become a later stage, which only
 * a promotion reaches.
 */
export async function putLive(
  ctx: Ctx,
  tx: Tx,
  put: {
    applicationId: string;
    templateId: string;
    version: number;
    environmentIds: readonly string[];
    at: Date;
  },
): Promise<Map<string, number>> {
  await lockPipeline(tx, ctx.tenantId, put.applicationId, "to use");
  if (await hasLaterStage(tx, ctx.tenantId, put.applicationId, put.environmentIds)) {
    throw new DomainError(
      "conflict",
      "The pipeline was changed at the same moment. Look at it and try again.",
    );
  }
  return deployVersion(tx, ctx.tenantId, put.templateId, put.version, put.environmentIds, put.at);
}
