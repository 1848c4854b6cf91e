import type { Ctx } from "../kernel/ctx.ts";
import { notFound } from "../kernel/errors.ts";
import { isUuid } from "../kernel/ids.ts";
import type { Permission } from "../operations/permissions.ts";
import { authorizeTemplates } from "../templates/template-access.ts";
import { selectImport, selectItems } from "./queries.ts";
import type { ImportItemRow, ImportRow } from "./queries.ts";
import type { TemplateImport } from "./schemas.ts";

/** The row of an import whose application the actor may work in; otherwise `not_found` or `permission_denied`. */
export async function requireImport(ctx: Ctx, permission: Permission, id: string): Promise<ImportRow> {
  const row = isUuid(id) ? await selectImport(ctx, id) : undefined;
  if (!row) throw notFound();
  authorizeTemplates(ctx, permission, { unitId: row.unitId, applicationId: row.applicationId });
  return row;
}

/** Whether the caller began an import; of one that has started, whether they started it. */
export function isOwn({ actor }: Pick<Ctx, "actor">, row: ImportRow): boolean {
  return row.actorType === actor.type && row.actorId === actor.id;
}

export function presentImport(row: ImportRow, items: readonly ImportItemRow[]): TemplateImport {
  const { create, update, unchanged, invalid, done, failed } = row;
  return {
    id: row.id,
    application: row.application,
    applicationId: row.applicationId,
    state: row.state,
    note: row.note,
    by: row.actorName,
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
    counts: { create, update, unchanged, invalid, done, failed },
    items: items.map((item) => ({
      position: item.position,
      path: item.path,
      templateId: item.templateId,
      action: item.action,
      state: item.state,
      version: item.version,
      problem: item.problem,
    })),
  };
}

/** An import with each of its templates. Needs templates:read where it writes. */
export async function getImport(ctx: Ctx, input: { id: string }): Promise<TemplateImport> {
  const row = await requireImport(ctx, "templates:read", input.id);
  return presentImport(row, await selectItems(ctx, row.id));
}
