import type { Ctx } from "../kernel/ctx.ts";
import { camelRows, inTransaction, queryInTenant, readInTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import { purgeSteps } from "./purge-steps.ts";
import type { PurgeStep } from "./purge-steps.ts";
import { registry } from "./registry.ts";

/** Work that can wait: it gives up before it makes others wait. */
const patiently = "BEGIN; SET LOCAL lock_timeout = '1s'; SET LOCAL statement_timeout = '10s'";

/** What a row's columns become when its content goes, and whether anything is left to do. */
export function blankSql(table: string): { set: string; needed: string } {
  const blank = Object.entries(registry[table]?.blank ?? {});
  return {
    set: blank.map(([column, value]) => `${column} = ${value}`).join(", "),
    needed: blank.map(([column, value]) => `${column} IS DISTINCT FROM ${value}`).join(" OR "),
  };
}

export interface TenantRetention {
  id: string;
  settings: unknown;
}

/** A page of organisations in the order of their ids, from `from` on (worker's role). */
export async function selectTenants(db: Db, from: string, limit: number): Promise<TenantRetention[]> {
  const { rows } = await db.pool.query<TenantRetention>(
    "SELECT id, settings FROM tenant_facts WHERE id > $1 ORDER BY id LIMIT $2",
    [from, limit],
  );
  return rows;
}

/** Which steps of these organisations had nothing left to do less than `hours` ago. */
export async function selectRested(db: Db, tenants: string[], hours: number): Promise<Set<string>> {
  const { rows } = await db.pool.query<{ key: string }>(
    `SELECT tenant_id || ' ' || step AS key FROM retention_marks
     WHERE tenant_id = ANY ($1::uuid[]) AND checked_at > now() - make_interval(hours => $2)`,
    [tenants, hours],
  );
  return new Set(rows.map(({ key }) => key));
}

/** What a step compares its key with. */
export interface PurgeBatch {
  tenantId: string;
  step: PurgeStep;
  /** A UUID or ISO 8601, as the step's clock says. */
  before: string;
  limit: number;
}

const castOf = (step: PurgeStep) => (step.clock === "uuid" ? "uuid" : "timestamptz");

/** Read once: they change with a migration, which restarts the process. */
const rowKeys = new Map<string, string>();

/** By which one row of a table is told from the others of its organisation: the primary key after the tenant. */
async function rowKeyOf(client: Pick<Db["pool"], "query">, table: string): Promise<string> {
  const known = rowKeys.get(table);
  if (known !== undefined) return known;
  const { rows } = await client.query<{ column: string }>(
    `SELECT a.attname AS "column" FROM pg_index i
     JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey::int2[])
     WHERE i.indrelid = $1::regclass AND i.indisprimary AND a.attname <> 'tenant_id'
     ORDER BY array_position(i.indkey::int2[], a.attnum)`,
    [table],
  );
  if (rows.length === 0) throw new Error(`${table} has no primary key`);
  const key = rows.map(({ column }) => `t.${column}`).join(", ");
  rowKeys.set(table, key);
  return key;
}

/** Deletes the oldest rows of a step. Many rows may be equally old, so they are counted by their primary keys. */
async function deleteSql(client: Pick<Db["pool"], "query">, step: PurgeStep): Promise<string> {
  const key = await rowKeyOf(client, step.table);
  const due = `t.tenant_id = $1 AND t.${step.key} < $2::${castOf(step)} ${step.when ? `AND ${step.when}` : ""}`;
  return `DELETE FROM ${step.table} t WHERE ${due} AND (${key}) IN (
    SELECT ${key} FROM ${step.table} t WHERE ${due} ORDER BY t.${step.key} LIMIT $3)`;
}

/**
 * One batch of a step in a transaction of its own, with the note of how far it came: a run that ends in the middle goes on
 * there. Returns how many rows went or were blanked, and whether there is more.
 */
export async function purgeBatch(db: Db, batch: PurgeBatch): Promise<{ rows: number; more: boolean }> {
  const { tenantId, step, before, limit } = batch;
  return inTransaction(db.pool, patiently, async (client) => {
    await client.query("SELECT set_config('app.tenant', $1, true)", [tenantId]);
    let rows: number;
    let more: boolean;
    let reached: string | null = null;
    if (step.action === "blank") {
      const mark = await client.query<{ reached: string }>(
        `SELECT coalesce((SELECT reached FROM retention_marks WHERE tenant_id = $1 AND step = $2),
           '00000000-0000-0000-0000-000000000000') AS reached`,
        [tenantId, step.id],
      );
      const from = mark.rows[0]?.reached;
      const next = await client.query<{ next: string }>(
        `SELECT ${step.key} AS next FROM ${step.table} WHERE tenant_id = $1 AND ${step.key} >= $2 AND ${step.key} < $3
         ORDER BY ${step.key} OFFSET $4 LIMIT 1`,
        [tenantId, from, before, limit],
      );
      // Several rows may share a key, which are dealt with together.
      const last = next.rows[0]?.next;
      if (last === undefined || last !== from) {
        reached = last ?? before;
      } else {
        const other = await client.query<{ next: string }>(
          `SELECT ${step.key} AS next FROM ${step.table} WHERE tenant_id = $1 AND ${step.key} > $2 AND ${step.key} < $3
           ORDER BY ${step.key} LIMIT 1`,
          [tenantId, from, before],
        );
        reached = other.rows[0]?.next ?? before;
      }
      more = reached !== before;
      const { set, needed } = blankSql(step.table);
      const done = await client.query(
        `UPDATE ${step.table} SET ${set} WHERE tenant_id = $1 AND ${step.key} >= $2 AND ${step.key} < $3 AND (${needed})`,
        [tenantId, from, reached],
      );
      rows = done.rowCount ?? 0;
    } else {
      const sql = step.statement ?? (await deleteSql(client, step));
      const done = await client.query(sql, [tenantId, before, limit]);
      rows = done.rowCount ?? 0;
      more = rows >= limit;
    }
    await client.query(
      `INSERT INTO retention_marks AS m (tenant_id, step, reached, removed, last_removed, removed_at, checked_at)
       VALUES ($1, $2, $3, $4::int, $4::int, CASE WHEN $4::int > 0 THEN now() END, CASE WHEN NOT $5::boolean THEN now() END)
       ON CONFLICT (tenant_id, step) DO UPDATE SET
         reached = coalesce(greatest(m.reached, excluded.reached), m.reached), removed = m.removed + excluded.removed, problem = NULL,
         last_removed = CASE WHEN $4::int = 0 THEN m.last_removed
                             WHEN m.checked_at IS NULL THEN m.last_removed + $4::int ELSE $4::int END,
         removed_at = coalesce(excluded.removed_at, m.removed_at), checked_at = excluded.checked_at`,
      [tenantId, step.id, reached, rows, more],
    );
    return { rows, more };
  });
}

/** Notes why a step went no further; it is tried again in the next run. */
export async function noteProblem(db: Db, tenantId: string, step: string, problem: string): Promise<void> {
  await db.pool.query(
    `INSERT INTO retention_marks (tenant_id, step, problem) VALUES ($1, $2, $3)
     ON CONFLICT (tenant_id, step) DO UPDATE SET problem = excluded.problem, checked_at = NULL`,
    [tenantId, step, problem],
  );
}

/** Drops the oldest month that nobody keeps; its name, or null when there is none (worker's role). */
export async function dropOldPartition(db: Db, log: boolean): Promise<string | null> {
  const { rows } = await db.pool.query<{ name: string | null }>("SELECT drop_old_partition($1) AS name", [
    log,
  ]);
  return rows[0]?.name ?? null;
}

export interface MarkRow {
  step: string;
  removed: string;
  lastRemoved: number;
  removedAt: Date | null;
  checkedAt: Date | null;
  problem: string | null;
}

export function selectMarks(ctx: Pick<Ctx, "db" | "tenantId">): Promise<MarkRow[]> {
  return queryInTenant<MarkRow>(
    ctx,
    `SELECT step, removed::text AS removed, last_removed, removed_at, checked_at, problem FROM retention_marks
     WHERE tenant_id = $1`,
    [ctx.tenantId],
  );
}

/** After the periods changed: every step is looked at in the next run. */
export async function restartMarks(tx: Tx, tenantId: string): Promise<void> {
  await tx.$executeRaw`SELECT restart_purge(${tenantId}::uuid)`;
}

export async function mergeRetentionSettings(tx: Tx, retention: object): Promise<void> {
  await tx.$executeRaw`SELECT merge_retention_settings(${JSON.stringify(retention)}::jsonb)`;
}

/**
 * How many rows each step would take, counted up to `most`: in one statement, of which the part that takes longest is cut off.
 * @param before by step: what it compares its key with
 */
export async function countDue(
  ctx: Pick<Ctx, "db" | "tenantId">,
  before: ReadonlyMap<string, string>,
  most: number,
): Promise<{ step: string; count: number }[]> {
  const steps = purgeSteps.filter((step) => before.has(step.id));
  const parts = steps.map((step, index) => {
    const limit = `$${String(index + 3)}::${castOf(step)}`;
    const when = step.when?.replaceAll("$2", limit);
    const from =
      step.action === "blank"
        ? `AND t.${step.key} >= coalesce((SELECT m.reached FROM retention_marks m WHERE m.tenant_id = $1 AND m.step = '${step.id}'),
             '00000000-0000-0000-0000-000000000000')`
        : "";
    return `SELECT '${step.id}' AS step, count(*)::int AS count FROM (SELECT FROM ${step.table} t WHERE t.tenant_id = $1
      AND t.${step.key} < ${limit} ${from} ${when ? `AND ${when}` : ""} LIMIT $2) AS due`;
  });
  const values = [ctx.tenantId, most, ...steps.map(({ id }) => before.get(id))];
  return readInTenant(
    ctx,
    async (client) => camelRows(await client.query(parts.join(" UNION ALL "), values)),
    8_000,
  );
}
