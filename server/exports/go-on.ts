import { systemCtx } from "../access/system-ctx.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import { resumeJobless } from "../kernel/jobless.ts";
import type { Logger } from "../kernel/log.ts";
import { writeNotices } from "../notices/write-notices.ts";
import { deleteChunks, lockExport, selectExport, updateExport } from "./queries.ts";
import type { ExportRow } from "./queries.ts";
import { exportRows } from "./tasks.ts";

const openStates: readonly ExportRow["state"][] = ["waiting", "running"];

export const isOpen = ({ state }: Pick<ExportRow, "state">): boolean => openStates.includes(state);

/** Ends an export that cannot go on, without a file. */
export async function giveUp(ctx: Ctx, tx: Tx, row: ExportRow, problem: string): Promise<void> {
  const now = await lockExport(tx, ctx.tenantId, row.id);
  if (!now || !isOpen(now)) return;
  await deleteChunks(tx, ctx.tenantId, row.id);
  await updateExport(tx, ctx.tenantId, row.id, {
    state: "failed",
    problem,
    stored: 0,
    finishedAt: ctx.now(),
  });
  await tell(ctx, tx, row, "export.failed", {});
  await recordAudit(ctx, tx, {
    action: "export.failed",
    targetType: "export",
    targetId: row.id,
    before: { state: now.state },
    after: { state: "failed" },
  });
}

/** A person hears of it in the portal; a system asks. */
export async function tell(
  ctx: Ctx,
  tx: Tx,
  row: ExportRow,
  kind: "export.finished" | "export.failed",
  data: Record<string, number>,
): Promise<void> {
  if (row.actorType !== "user" || row.actorId === null) return;
  await writeNotices(ctx, tx, [row.actorId], {
    kind,
    targetType: "export",
    targetId: row.id,
    data: { ...data, file: row.fileName },
  });
}

/** Ends exports of all organisations whose job has failed again and again, and gives those whose job got lost another. Returns how many. */
export function resumeExports(deps: { db: Db; log: Logger }): Promise<number> {
  const work = { table: "exports", states: openStates, task: exportRows, key: "exportId" };
  return resumeJobless(deps, work, async ({ tenantId, id }) => {
    const ctx = systemCtx(deps.db, tenantId, "Export");
    const row = await selectExport(ctx, id);
    const problem =
      "It failed several times for a technical reason. Export it again. If that fails too, contact the operator.";
    if (row) await inTenant(ctx, (tx) => giveUp(ctx, tx, row, problem));
  });
}
