import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { enqueue } from "../kernel/tasks.ts";
import { authorizeSomewhere } from "../operations/authorize.ts";
import { presentExport } from "./get-exports.ts";
import { checkFilter } from "./kinds.ts";
import { countOpen, deleteChunks, deleteExport, insertExport, lockExport, updateExport } from "./queries.ts";
import { requireExport } from "./get-exports.ts";
import { deciding } from "./rights.ts";
import { exportLimits } from "./schemas.ts";
import type { ExportInput, ExportView } from "./schemas.ts";
import { exportRows } from "./tasks.ts";

const gibibytes = String(exportLimits.bytes / 1_073_741_824);

/**
 * Asks for a file, which the worker writes. It holds what there is now and nothing later. Throws `conflict` while too much is under way
 * or kept.
 */
export async function requestExport(ctx: Ctx, input: ExportInput): Promise<ExportView> {
  authorizeSomewhere(ctx, deciding[input.kind][0]);
  await checkFilter(ctx, input);
  const { tenantId, actor } = ctx;
  const createdAt = ctx.now();
  const day = createdAt.toISOString().slice(0, 16).replace("T", "-").replace(":", "");
  const row = {
    tenantId,
    id: newId(),
    kind: input.kind,
    state: "waiting" as const,
    fileName: `${input.kind}-${day}.csv`,
    // What was not asked for is not kept as undefined.
    filter: JSON.parse(JSON.stringify(input.filter)) as Record<string, string>,
    until: createdAt,
    columns: [],
    actorType: actor.type,
    actorId: actor.id,
    actorName: actor.name,
    createdAt,
  };
  await inTenant(ctx, async (tx) => {
    const { all, own, stored } = await countOpen(tx, tenantId, actor);
    if (own >= exportLimits.openOfOne) {
      throw new DomainError(
        "conflict",
        `${String(own)} of your exports have not ended. Wait for one of them, or cancel it.`,
      );
    }
    if (all >= exportLimits.open) {
      throw new DomainError(
        "conflict",
        "Too many exports of your organisation are waiting. Try again later.",
      );
    }
    if (stored >= exportLimits.bytes) {
      throw new DomainError(
        "conflict",
        `Your organisation’s exports take up ${gibibytes} GiB, which is the most. Delete some of them first.`,
      );
    }
    await insertExport(tx, row);
    await enqueue(tx, exportRows, { tenantId, exportId: row.id });
    await recordAudit(ctx, tx, {
      action: "export.requested",
      targetType: "export",
      targetId: row.id,
      environmentId: input.filter.environmentId ?? null,
      after: { kind: input.kind },
      // Which fields were filtered by, not the address somebody looked for.
      data: { filtered: Object.keys(row.filter) },
    });
  });
  const made = await requireExport(ctx, row.id);
  return presentExport(made, 0);
}

/** Ends an export before it is finished. Throws `conflict` when it has ended. */
export async function cancelExport(ctx: Ctx, input: { id: string }): Promise<ExportView> {
  const row = await requireExport(ctx, input.id);
  const { tenantId } = ctx;
  await inTenant(ctx, async (tx) => {
    const now = await lockExport(tx, tenantId, row.id);
    if (now?.state !== "waiting" && now?.state !== "running")
      throw new DomainError("conflict", "This export has completed.");
    await deleteChunks(tx, tenantId, row.id);
    await updateExport(tx, tenantId, row.id, { state: "canceled", stored: 0, finishedAt: ctx.now() });
    await recordAudit(ctx, tx, {
      action: "export.canceled",
      targetType: "export",
      targetId: row.id,
      before: { state: now.state },
      after: { state: "canceled" },
    });
  });
  return presentExport(await requireExport(ctx, row.id), 0);
}

/** Takes an export away, its file as well. Throws `conflict` while it is under way. */
export async function removeExport(ctx: Ctx, input: { id: string }): Promise<{ id: string }> {
  const row = await requireExport(ctx, input.id);
  const { tenantId } = ctx;
  await inTenant(ctx, async (tx) => {
    const now = await lockExport(tx, tenantId, row.id);
    if (!now) return;
    if (now.state === "waiting" || now.state === "running")
      throw new DomainError("conflict", "This export is in progress. Cancel it first.");
    await deleteChunks(tx, tenantId, row.id);
    await deleteExport(tx, tenantId, row.id);
    await recordAudit(ctx, tx, {
      action: "export.deleted",
      targetType: "export",
      targetId: row.id,
      before: { state: now.state, kind: row.kind },
    });
  });
  return { id: row.id };
}
