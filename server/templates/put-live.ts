import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { lockPipeline } from "../tenancy/pipeline-stages.ts";
import { deployVersion, hasLaterStage } from "./queries.ts";

/**
 * Makes a version live without a promotion, in the caller's transaction: in the first stage and in sandboxes. Returns
 * what was live there before. Throws `conflict` when one of the environments has just become a later stage, which only
 * a promotion reaches, and `agent_limit` for an agent where production is the first stage.
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
  await refuseAgentInProduction(ctx, put.environmentIds);
  await lockPipeline(tx, ctx.tenantId, put.applicationId, "to use");
  if (await hasLaterStage(tx, ctx.tenantId, put.applicationId, put.environmentIds)) {
    throw new DomainError(
      "conflict",
      "The pipeline was changed at the same moment. Look at it and try again.",
    );
  }
  return deployVersion(tx, ctx.tenantId, put.templateId, put.version, put.environmentIds, put.at);
}

/** What people get in production a person has read: throws `agent_limit` for an agent whose text would be live there at once. */
export async function refuseAgentInProduction(ctx: Ctx, environmentIds: readonly string[]): Promise<void> {
  if (ctx.actor.type !== "apiKey" || !ctx.actor.agent) return;
  const { environments } = await getCatalogue(ctx);
  const production = environments.find(
    ({ id, kind }) => kind === "production" && environmentIds.includes(id),
  );
  if (!production) return;
  throw new DomainError(
    "agent_limit",
    `A text that is saved here is live in ${production.slug} at once, and an agent puts nothing there by itself. Let a person save it, or put a stage before ${production.slug}.`,
  );
}
