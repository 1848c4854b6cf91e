import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { enqueue } from "../kernel/tasks.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { getImport, isOwn, requireImport } from "./present-import.ts";
import { lockImport } from "./queries.ts";
import type { ImportRow } from "./queries.ts";
import { refuseAgent } from "./refuse-agent.ts";
import type { TemplateImport } from "./schemas.ts";
import { importTemplates } from "./tasks.ts";

/**
 * Starts a planned import, in the background and in the name of its starter. Invalid and unchanged templates are left
 * out. Throws `conflict` when it has started, or when nothing would change; `agent_limit` for an agent whose templates
 * would be live in production at once.
 * @param input.lastPosition the highest position among the items that the caller has seen, for somebody else's import. Throws
 *   `revision_conflict` when files were added since, and `conflict` without it.
 */
export async function startImport(
  ctx: Ctx,
  input: { id: string; lastPosition?: number | undefined },
): Promise<TemplateImport> {
  const row = await requireImport(ctx, "templates:write", input.id);
  await refuseAgent(ctx, await getCatalogue(ctx), row.applicationId);
  await inTenant(ctx, async (tx) => {
    const locked = await lockImport(tx, ctx.tenantId, row.id);
    if (!locked) throw notFound();
    if (locked.state !== "planned") throw new DomainError("conflict", "This import has started already.");
    refuseUnseen(ctx, row, locked.lastPosition, input.lastPosition);
    if (row.create + row.update === 0) {
      throw new DomainError("conflict", "Nothing would change: every template is as it is, or is not valid.");
    }
    await tx.templateImport.update({
      where: { tenantId_id: { tenantId: ctx.tenantId, id: row.id } },
      data: {
        state: "running",
        startedAt: ctx.now(),
        actorType: ctx.actor.type,
        actorId: ctx.actor.id,
        actorName: ctx.actor.name,
      },
    });
    await enqueue(tx, importTemplates, { tenantId: ctx.tenantId, importId: row.id });
    await recordAudit(ctx, tx, {
      action: "template_import.started",
      targetType: "template_import",
      targetId: row.id,
      unitId: row.unitId,
      before: { state: "planned" },
      after: { state: "running" },
      data: { create: row.create, update: row.update },
    });
  });
  return getImport(ctx, row);
}

/** Whoever starts an import becomes the author of what it saves: nothing that they have not seen. */
function refuseUnseen(ctx: Ctx, row: ImportRow, last: number | null, seen: number | undefined): void {
  if (seen !== undefined && seen !== last) {
    throw new DomainError(
      "revision_conflict",
      "Files were added to this import since you looked at it. Look at it again before you start it.",
    );
  }
  if (seen === undefined && !isOwn(ctx, row)) {
    throw new DomainError(
      "conflict",
      `This import was begun by ${row.actorName}. Others start it in the portal, where they see what it changes.`,
    );
  }
}

/** Cancels an import: what is saved stays, the rest is left as it was. Throws `conflict` when it has ended. */
export async function cancelImport(ctx: Ctx, input: { id: string }): Promise<TemplateImport> {
  const row = await requireImport(ctx, "templates:write", input.id);
  await inTenant(ctx, async (tx) => {
    const locked = await lockImport(tx, ctx.tenantId, row.id);
    if (locked?.state !== "planned" && locked?.state !== "running") {
      throw new DomainError("conflict", "This import has ended.");
    }
    await tx.templateImport.update({
      where: { tenantId_id: { tenantId: ctx.tenantId, id: row.id } },
      data: { state: "canceled", finishedAt: ctx.now() },
    });
    await recordAudit(ctx, tx, {
      action: "template_import.canceled",
      targetType: "template_import",
      targetId: row.id,
      unitId: row.unitId,
      before: { state: locked.state },
      after: { state: "canceled" },
    });
  });
  return getImport(ctx, input);
}
