import { actingFor } from "../access/acting-for.ts";
import { systemCtx } from "../access/system-ctx.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { enqueueIn } from "../kernel/tasks.ts";
import { createTemplate } from "../templates/create-template.ts";
import { templateContentSchema, templateCreateSchema } from "../templates/schemas.ts";
import { mayWithTemplates } from "../templates/template-access.ts";
import { updateTemplate } from "../templates/update-template.ts";
import { folderOf } from "./files.ts";
import { sameFiles } from "./plan-import.ts";
import {
  finishImport,
  isRunning,
  noteResult,
  selectByNames,
  selectImport,
  selectNextItems,
} from "./queries.ts";
import type { ImportItemRow, ImportRow, ItemResult } from "./queries.ts";
import { importTemplates } from "./tasks.ts";

/** How long an import keeps calling a service that does not answer. */
const patience = 2 * 3_600_000;
const pauseMs = 30_000;

/** Templates of one job: each may wait for the AI service, and a stopping worker gives its jobs 20 seconds. */
const slice = 5;

/**
 * Saves the next few templates of a running import and enqueues a job for the rest. Each is saved by the usual use
 * cases, in the name of whoever started the import and with their present permissions; one that fails is reported and
 * does not stop the others. Repeating a job is harmless: templates that were saved already are recognised by their
 * content.
 */
export async function runImport(
  deps: { db: Db },
  key: { tenantId: string; importId: string },
): Promise<void> {
  const system = systemCtx(deps.db, key.tenantId, "Import");
  const row = await selectImport(system, key.importId);
  if (row?.state !== "running") return;
  const ctx = await actingFor(system, row);
  let waiting = false;
  for (const item of await selectNextItems(system, row.id, slice)) {
    // Each may take long: what is canceled meanwhile saves no more.
    if (!(await isRunning(system, row.id))) return;
    const result = await save(ctx, row, item);
    waiting ||= result.state === "planned";
    await inTenant(system, (tx) =>
      noteResult(tx, { tenantId: key.tenantId, importId: row.id, position: item.position }, result),
    );
  }
  const rest = await selectNextItems(system, row.id, 1);
  if (rest.length > 0) await enqueueIn(system, waiting ? pauseMs : 0, importTemplates, key);
  else await inTenant(system, (tx) => finishImport(tx, key, system.now()));
}

async function save(ctx: Ctx, row: ImportRow, item: ImportItemRow): Promise<ItemResult> {
  if (!item.content) return { state: "failed", version: null };
  const { content } = item;
  try {
    if (!mayWithTemplates(ctx, "templates:write", { unitId: row.unitId, applicationId: row.applicationId })) {
      throw new DomainError(
        "permission_denied",
        "Who started the import may not write templates here any more.",
      );
    }
    const stored = (await selectByNames(ctx, row.applicationId, [content.name])).find(
      (one) => !one.archived && folderOf(one) === folderOf(content),
    );
    if (stored && sameFiles(stored, content)) {
      return { state: "done", version: stored.version, templateId: stored.id };
    }
    const saved =
      item.templateId === null
        ? await createTemplate(ctx, {
            ...templateCreateSchema.parse(content),
            application: row.application,
            note: row.note,
          })
        : await updateTemplate(ctx, {
            ...templateContentSchema.parse(content),
            id: item.templateId,
            note: row.note,
            ...(item.baseVersion === null ? {} : { expectedVersion: item.baseVersion }),
          });
    return { state: "done", version: saved.version, templateId: saved.id };
  } catch (error) {
    const failure = error instanceof DomainError ? error : unforeseen(ctx, row, item, error);
    // A service that does not answer may be back in a minute; meanwhile the import shows what it waits for.
    const started = row.startedAt ?? row.createdAt;
    const again = failure.status >= 500 && ctx.now().getTime() - started.getTime() < patience;
    return {
      state: again ? "planned" : "failed",
      version: null,
      problem: { code: failure.code, detail: failure.message, errors: failure.errors.slice(0, 20) },
    };
  }
}

/** An unforeseen error of one template must neither hold up the others nor keep the import running for ever. */
function unforeseen(ctx: Ctx, row: ImportRow, item: ImportItemRow, error: unknown): DomainError {
  ctx.log.error(
    { err: error, tenantId: ctx.tenantId, importId: row.id, position: item.position },
    "a template of an import could not be saved",
  );
  return new DomainError("internal_error", "Something went wrong on our side.");
}
