import { systemCtx } from "../access/system-ctx.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import { eachJobless } from "../kernel/jobless.ts";
import type { Logger } from "../kernel/log.ts";
import { enqueue } from "../kernel/tasks.ts";
import { writeNotices } from "../notices/write-notices.ts";
import { deleteChunks, lockExport, selectExport, updateExport } from "./queries.ts";
import type { ExportRow } from "./queries.ts";
import { exportRows, maxAttempts } from "./tasks.ts";

export const isOpen = ({ state }: Pick<ExportRow, "state">): boolean =>
  state === "waiting" || state === "running";

/** Adds a job that goes on with an export. */
export async function again(
  ctx: Ctx,
  key: { tenantId: string; exportId: string },
  afterMs: number,
): Promise<void> {
  const runAt = new Date(Date.now() + afterMs);
  await inTenant(ctx, (tx) => enqueue(tx, exportRows, key, { runAt, maxAttempts }));
}

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
  const work = { table: "exports", states: ["waiting", "running"], task: exportRows.name, key: "exportId" };
  return eachJobless(deps, work, async ({ tenantId, id, failed }) => {
    const ctx = systemCtx(deps.db, tenantId, "Export");
    const row = await selectExport(ctx, id);
    const problem =
      "It failed several times for a technical reason. Export it again. If that fails too, contact the operator.";
    if (row && failed) await inTenant(ctx, (tx) => giveUp(ctx, tx, row, problem));
    else await again(ctx, { tenantId, exportId: id }, 0);
  });
}
