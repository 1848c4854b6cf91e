import { systemCtx } from "../access/system-ctx.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { resumeJobless } from "../kernel/jobless.ts";
import type { Logger } from "../kernel/log.ts";
import { endEarly, lockImport, selectImport } from "./queries.ts";
import type { ImportRow } from "./queries.ts";
import { importRows } from "./tasks.ts";
import { tellFinished } from "./tell-finished.ts";

const openStates: readonly ImportRow["state"][] = ["checking", "running"];

export const isUnderWay = ({ state }: Pick<ImportRow, "state">): boolean => openStates.includes(state);

/** Ends an import that cannot go on: what it has written stays, its file goes. */
export async function giveUp(ctx: Ctx, row: ImportRow, problem: string): Promise<void> {
  await inTenant(ctx, async (tx) => {
    const now = await lockImport(tx, ctx.tenantId, row.id);
    if (!now || !isUnderWay(now)) return;
    const last = { ...row, ...now };
    await endEarly(tx, ctx.tenantId, last, { state: "failed", problem, finishedAt: ctx.now() });
    if (now.state === "running") await tellFinished(ctx, tx, last, "failed");
    await recordAudit(ctx, tx, {
      action: "import.failed",
      targetType: "import",
      targetId: row.id,
      environmentId: row.environmentId,
      before: { state: now.state },
      after: { state: "failed" },
    });
  });
}

/** Ends imports of all organisations whose job has failed again and again, and gives those whose job got lost another. Returns how many. */
export function resumeImports(deps: { db: Db; log: Logger }): Promise<number> {
  const work = { table: "imports", states: openStates, task: importRows, key: "importId" };
  return resumeJobless(deps, work, async ({ tenantId, id }) => {
    const ctx = systemCtx(deps.db, tenantId, "Import");
    const row = await selectImport(ctx, id);
    const problem =
      "It failed several times for a technical reason. Import the file again. If that fails too, contact the operator.";
    if (row) await giveUp(ctx, row, problem);
  });
}
