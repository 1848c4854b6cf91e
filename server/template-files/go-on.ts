import { systemCtx } from "../access/system-ctx.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { resumeJobless } from "../kernel/jobless.ts";
import type { Logger } from "../kernel/log.ts";
import { failRest, finishImport, lockImport, selectImport } from "./queries.ts";
import type { ImportRow } from "./queries.ts";
import { importTemplates } from "./tasks.ts";

/** Ends an import that cannot go on: what it has saved stays, each of its other templates says why it was left out. */
async function giveUp(ctx: Ctx, row: ImportRow): Promise<void> {
  await inTenant(ctx, async (tx) => {
    if ((await lockImport(tx, ctx.tenantId, row.id))?.state !== "running") return;
    const problem = {
      code: "internal_error",
      detail:
        "The import failed several times for a technical reason. Import the files again. If that fails too, contact the operator.",
      errors: [],
    };
    await failRest(tx, { tenantId: ctx.tenantId, importId: row.id }, problem);
    await finishImport(tx, { tenantId: ctx.tenantId, importId: row.id }, ctx.now());
    await recordAudit(ctx, tx, {
      action: "template_import.failed",
      targetType: "template_import",
      targetId: row.id,
      unitId: row.unitId,
      before: { state: "running" },
      after: { state: "finished" },
    });
  });
}

/** Ends imports of all organisations whose job has failed again and again, and gives those whose job got lost another. Returns how many. */
export function resumeTemplateImports(deps: { db: Db; log: Logger }): Promise<number> {
  const work = { table: "template_imports", states: ["running"], task: importTemplates, key: "importId" };
  return resumeJobless(deps, work, async ({ tenantId, id }) => {
    const ctx = systemCtx(deps.db, tenantId, "Import");
    const row = await selectImport(ctx, id);
    if (row) await giveUp(ctx, row);
  });
}
