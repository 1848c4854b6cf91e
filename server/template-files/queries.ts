import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import type { Scope } from "../operations/authorize.ts";
import { Conditions } from "../operations/conditions.ts";
import type { TemplateCreate } from "../templates/schemas.ts";
import type { FileTemplate } from "./files.ts";
import type { importActions, importItemStates, importStates } from "./schemas.ts";

type Reader = Pick<Ctx, "db" | "tenantId">;

export interface StoredTemplate extends FileTemplate {
  id: string;
  version: number;
}

const contentSelect = `
  SELECT t.id, v.version, t.name, t.notification_type AS "notificationType",
         t.notification_subtype AS "notificationSubtype", t.channel, t.region, t.language, t.provider, v.subject, v.body,
         v.metadata, v.variables`;

/** Templates of an application with their latest content, or with what is live in an environment, by id. */
export function selectContents(
  ctx: Reader,
  where: {
    applicationId: string;
    environmentId: string | undefined;
    after: string | undefined;
    limit: number;
  },
): Promise<StoredTemplate[]> {
  return queryInTenant<StoredTemplate>(
    ctx,
    `${contentSelect}
     FROM template_facts t
     LEFT JOIN template_pointers d ON d.tenant_id = t.tenant_id AND d.template_id = t.id AND d.environment_id = $3
     JOIN template_contents v ON v.tenant_id = t.tenant_id AND v.template_id = t.id
       AND v.version = CASE WHEN $3::uuid IS NULL THEN t.latest_version ELSE d.version END
     WHERE t.tenant_id = $1 AND t.application_id = $2 AND t.archived_at IS NULL AND ($4::uuid IS NULL OR t.id > $4)
     ORDER BY t.id LIMIT $5`,
    [ctx.tenantId, where.applicationId, where.environmentId ?? null, where.after ?? null, where.limit],
  );
}

/**
 * The templates of an application by name, with their latest content, to compare files with. For one audience the
 * archived ones come before the one in use.
 */
export function selectByNames(
  ctx: Reader,
  applicationId: string,
  names: readonly string[],
): Promise<(StoredTemplate & { archived: boolean })[]> {
  return queryInTenant<StoredTemplate & { archived: boolean }>(
    ctx,
    `${contentSelect}, t.archived_at IS NOT NULL AS archived
     FROM template_facts t
     JOIN template_contents v ON v.tenant_id = t.tenant_id AND v.template_id = t.id AND v.version = t.latest_version
     WHERE t.tenant_id = $1 AND t.application_id = $2 AND t.name = ANY ($3::text[])
     ORDER BY t.archived_at IS NULL, t.id`,
    [ctx.tenantId, applicationId, names],
  );
}

export interface ImportRow {
  id: string;
  applicationId: string;
  application: string;
  unitId: string;
  state: (typeof importStates)[number];
  note: string | null;
  actorType: "user" | "apiKey" | "system";
  actorId: string | null;
  actorName: string;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  create: number;
  update: number;
  unchanged: number;
  invalid: number;
  done: number;
  failed: number;
}

const importSelect = `
  SELECT i.id, i.application_id, a.name AS application, a.unit_id, i.state, i.note, i.actor_type, i.actor_id, i.actor_name,
         i.created_at, i.started_at, i.finished_at, c.*
  FROM template_imports i
  JOIN application_facts a ON a.tenant_id = i.tenant_id AND a.id = i.application_id
  CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE m.action = 'create')::int AS create, count(*) FILTER (WHERE m.action = 'update')::int AS update,
           count(*) FILTER (WHERE m.action = 'unchanged')::int AS unchanged,
           count(*) FILTER (WHERE m.action = 'invalid')::int AS invalid,
           count(*) FILTER (WHERE m.state = 'done')::int AS done, count(*) FILTER (WHERE m.state = 'failed')::int AS failed
    FROM template_import_items m WHERE m.tenant_id = i.tenant_id AND m.import_id = i.id) c
  WHERE i.tenant_id = $1`;

export async function selectImport(ctx: Reader, id: string): Promise<ImportRow | undefined> {
  return (await queryInTenant<ImportRow>(ctx, `${importSelect} AND i.id = $2`, [ctx.tenantId, id]))[0];
}

/** The newest imports that the caller may see, without discarded plans. */
export function selectImports(
  ctx: Reader,
  scopes: Required<Scope>[] | null,
  limit: number,
): Promise<ImportRow[]> {
  const where = new Conditions([ctx.tenantId, limit])
    .within(scopes, { unit: "a.unit_id", application: "a.id", environment: "NULL::uuid" })
    .and("(i.state <> 'canceled' OR i.started_at IS NOT NULL)");
  return queryInTenant<ImportRow>(
    ctx,
    `${importSelect} AND ${where.sql} ORDER BY i.id DESC LIMIT $2`,
    where.values,
  );
}

/** A template as the files hold it, and who wrote it where that is not whoever starts the import. */
export type PlannedTemplate = FileTemplate & Pick<TemplateCreate, "provenance">;

export interface ImportItemRow {
  position: number;
  path: string;
  templateId: string | null;
  action: (typeof importActions)[number];
  baseVersion: number | null;
  content: PlannedTemplate | null;
  state: (typeof importItemStates)[number];
  version: number | null;
  problem: {
    code: string;
    detail: string;
    errors: { pointer: string; code: string; detail: string }[];
  } | null;
}

const itemColumns =
  "m.position, m.path, m.template_id, m.action, m.base_version, m.content, m.state, m.version, m.problem";

/** An import's templates by path; without contents unless requested. */
export function selectItems(ctx: Reader, importId: string): Promise<ImportItemRow[]> {
  return queryInTenant<ImportItemRow>(
    ctx,
    `SELECT ${itemColumns.replace("m.content", "NULL AS content")} FROM template_import_items m
     WHERE m.tenant_id = $1 AND m.import_id = $2 ORDER BY m.path`,
    [ctx.tenantId, importId],
  );
}

/** Whether an import has been started and has not ended. */
export async function isRunning(ctx: Reader, importId: string): Promise<boolean> {
  const rows = await queryInTenant(
    ctx,
    "SELECT FROM template_imports WHERE tenant_id = $1 AND id = $2 AND state = 'running'",
    [ctx.tenantId, importId],
  );
  return rows.length > 0;
}

/**
 * The next templates of a running import to be saved; those that were tried before come last, in any order, so that none
 * of them keeps the others waiting.
 */
export function selectNextItems(ctx: Reader, importId: string, limit: number): Promise<ImportItemRow[]> {
  return queryInTenant<ImportItemRow>(
    ctx,
    `SELECT ${itemColumns} FROM template_import_items m
     JOIN template_imports i ON i.tenant_id = m.tenant_id AND i.id = m.import_id AND i.state = 'running'
     WHERE m.tenant_id = $1 AND m.import_id = $2 AND m.state = 'planned' AND m.action IN ('create', 'update')
     ORDER BY m.problem IS NOT NULL, CASE WHEN m.problem IS NULL THEN m.position END, random() LIMIT $3`,
    [ctx.tenantId, importId, limit],
  );
}

/** The result of one template. */
export interface ItemResult extends Pick<ImportItemRow, "state" | "version"> {
  templateId?: string;
  problem?: NonNullable<ImportItemRow["problem"]>;
}

/** Records the result of a template; it replaces an earlier problem, but not what a repeated job has saved. */
export async function noteResult(
  tx: Tx,
  key: { tenantId: string; importId: string; position: number },
  {
    state,
    version,
    templateId = null,
    problem,
  }: Omit<ItemResult, "templateId"> & { templateId?: string | null },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE template_import_items
    SET state = ${state}, version = ${version}, template_id = coalesce(${templateId}::uuid, template_id),
        problem = ${problem ? JSON.stringify(problem) : null}::jsonb
    WHERE tenant_id = ${key.tenantId}::uuid AND import_id = ${key.importId}::uuid AND position = ${key.position}
      AND state <> 'done'`;
}

/** Fails the templates of an import that were not saved, for one reason. */
export async function failRest(
  tx: Tx,
  key: { tenantId: string; importId: string },
  problem: NonNullable<ImportItemRow["problem"]>,
): Promise<void> {
  await tx.templateImportItem.updateMany({
    where: { ...key, state: "planned", action: { in: ["create", "update"] } },
    data: { state: "failed", problem },
  });
}

/** Ends a running import; one that was canceled stays so. */
export async function finishImport(
  tx: Tx,
  { tenantId, importId }: { tenantId: string; importId: string },
  at: Date,
): Promise<void> {
  await tx.templateImport.updateMany({
    where: { tenantId, id: importId, state: "running" },
    data: { state: "finished", finishedAt: at },
  });
}

interface LockedImport {
  state: ImportRow["state"];
  items: number;
  /** The highest of its items; null: it has none. They are never reused, so that it tells one plan from a later one. */
  lastPosition: number | null;
}

/** Locks the import, so that calls for the same one run one after the other. */
export async function lockImport(tx: Tx, tenantId: string, id: string): Promise<LockedImport | undefined> {
  // Counted by a statement of its own, which sees what was committed while this one waited.
  const [row] = await tx.$queryRaw<Pick<LockedImport, "state">[]>`
    SELECT state FROM template_imports WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid FOR UPDATE`;
  if (!row) return undefined;
  const { _count, _max } = await tx.templateImportItem.aggregate({
    where: { tenantId, importId: id },
    _count: true,
    _max: { position: true },
  });
  return { ...row, items: _count, lastPosition: _max.position };
}

/**
 * Deletes imports of all tenants (worker's role) that were planned, or ended, that many days ago; never a running one.
 */
export async function deleteOldImports(
  db: Db,
  after: { planDays: number; endedDays: number },
): Promise<number> {
  const { rows } = await db.pool.query<{ imports: number }>(
    `WITH old AS (
       DELETE FROM template_imports
       WHERE (state = 'planned' AND created_at < now() - make_interval(days => $1))
          OR (state IN ('finished', 'canceled') AND finished_at < now() - make_interval(days => $2))
       RETURNING tenant_id, id
     ), items AS (
       DELETE FROM template_import_items m USING old WHERE m.tenant_id = old.tenant_id AND m.import_id = old.id
     )
     SELECT count(*)::int AS imports FROM old`,
    [after.planDays, after.endedDays],
  );
  return rows[0]?.imports ?? 0;
}
