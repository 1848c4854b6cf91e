import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { Conditions } from "../operations/conditions.ts";
import { lockPipeline } from "../tenancy/pipeline-stages.ts";
import { gatesSchema } from "../tenancy/schemas.ts";
import type { Gates } from "../tenancy/schemas.ts";
import type { BoardQuery, BoardRow, Stage } from "./schemas.ts";

type TenantDb = Pick<Ctx, "db" | "tenantId">;

/** A stage as stored: gates may lack members that were added later. */
type StoredStage = Omit<Stage, "gates"> & { gates: Partial<Gates> };

const toStage = (stored: StoredStage): Stage => ({ ...stored, gates: gatesSchema.parse(stored.gates) });

const stageSelect = `
  SELECT s.application_id AS "applicationId", s.environment_id AS "environmentId", e.slug AS environment, e.name, e.kind, s.gates
  FROM stage_facts s JOIN environment_facts e ON e.tenant_id = s.tenant_id AND e.id = s.environment_id`;

/** The stages of applications, first stage first. */
export async function selectStages(
  ctx: TenantDb,
  applicationIds: readonly string[],
): Promise<Map<string, Stage[]>> {
  const rows = await queryInTenant<StoredStage & { applicationId: string }>(
    ctx,
    `${stageSelect} WHERE s.tenant_id = $1 AND s.application_id = ANY($2::uuid[]) ORDER BY s.position`,
    [ctx.tenantId, applicationIds],
  );
  const stages = new Map<string, Stage[]>(applicationIds.map((id) => [id, []]));
  for (const { applicationId, ...row } of rows) stages.get(applicationId)?.push(toStage(row));
  return stages;
}

/** The present stages, locked until the transaction ends. */
export async function lockStages(
  tx: Tx,
  tenantId: string,
  applicationId: string,
  mode: "to change" | "to use",
): Promise<Stage[]> {
  await lockPipeline(tx, tenantId, applicationId, mode);
  const rows = await tx.$queryRawUnsafe<(StoredStage & { applicationId: string })[]>(
    `${stageSelect} WHERE s.tenant_id = $1::uuid AND s.application_id = $2::uuid ORDER BY s.position`,
    tenantId,
    applicationId,
  );
  return rows.map(({ applicationId: _application, ...row }) => toStage(row));
}

/** A proposal as the database keeps it. */
export interface ProposalRow {
  applicationId: string;
  id: string;
  before: { environmentId: string; gates: Gates }[];
  stages: { environmentId: string; gates: Gates }[];
  loosens: string[];
  personId: string;
  actorName: string;
  createdAt: Date;
}

const proposalSelect = `
  SELECT application_id AS "applicationId", id, before, stages, loosens, person_id AS "personId",
         actor_name AS "actorName", created_at AS "createdAt" FROM pipeline_proposals`;

/** The changes that wait for a second person, by application. */
export async function selectProposals(
  ctx: TenantDb,
  applicationIds: readonly string[],
): Promise<Map<string, ProposalRow>> {
  const rows = await queryInTenant<ProposalRow>(
    ctx,
    `${proposalSelect} WHERE tenant_id = $1 AND application_id = ANY($2::uuid[])`,
    [ctx.tenantId, applicationIds],
  );
  return new Map(rows.map((row) => [row.applicationId, row]));
}

/** The waiting change of an application; the caller has locked the pipeline. */
export async function readProposal(
  tx: Tx,
  tenantId: string,
  applicationId: string,
): Promise<ProposalRow | undefined> {
  const rows = await tx.$queryRawUnsafe<ProposalRow[]>(
    `${proposalSelect} WHERE tenant_id = $1::uuid AND application_id = $2::uuid`,
    tenantId,
    applicationId,
  );
  return rows[0];
}

/** Replaces the waiting change; null: none waits any more. */
export async function replaceProposal(
  tx: Tx,
  tenantId: string,
  applicationId: string,
  row: Omit<ProposalRow, "applicationId"> | null,
): Promise<void> {
  await tx.pipelineProposal.deleteMany({ where: { tenantId, applicationId } });
  if (row) await tx.pipelineProposal.create({ data: { tenantId, applicationId, ...row } });
}

/** Open promotions of an application, oldest first. */
export async function selectOpenPromotions(
  tx: Tx,
  tenantId: string,
  applicationId: string,
): Promise<{ id: string; from: string; to: string; requestedBy: string }[]> {
  const rows = await tx.promotion.findMany({
    where: { tenantId, applicationId, state: { in: ["pending", "approved"] } },
    select: { id: true, fromEnvironmentId: true, toEnvironmentId: true, requestedByName: true },
    orderBy: { id: "asc" },
  });
  return rows.map((row) => ({
    id: row.id,
    from: row.fromEnvironmentId,
    to: row.toEnvironmentId,
    requestedBy: row.requestedByName,
  }));
}

/** The contents of a board, as returned by one statement. */
export interface BoardFacts {
  stages: Stage[];
  differences: number[];
  /** One more than requested when there is another page. */
  rows: BoardRow[];
}

/**
 * The board of an application: its stages, the total number of templates that differ between neighbours, and one page
 * of templates by name. `after` is the id of the last template of the previous page.
 */
export async function selectBoard(
  ctx: TenantDb,
  where: Pick<BoardQuery, "search" | "channel" | "differing"> & {
    applicationId: string;
    after: string | undefined;
    limit: number;
  },
): Promise<BoardFacts> {
  const conditions = new Conditions([ctx.tenantId, where.applicationId], "true")
    .given("strpos(lower(t.name), lower(?)) > 0", where.search)
    .given("t.channel = ?", where.channel)
    .given(
      "(t.name, t.id) > (SELECT c.name, c.id FROM template_facts c WHERE c.tenant_id = $1 AND c.id = ?)",
      where.after,
    );
  if (where.differing) conditions.and("true = ANY(l.differs)");
  const limit = conditions.bind(where.limit);
  const rows = await queryInTenant<{
    stages: StoredStage[];
    differences: number[];
    rows: BoardRow[];
  }>(
    ctx,
    `WITH stage AS (
       SELECT row_number() OVER (ORDER BY s.position)::int AS n, s.environment_id, e.slug, e.name, e.kind, s.gates
       FROM stage_facts s JOIN environment_facts e ON e.tenant_id = s.tenant_id AND e.id = s.environment_id
       WHERE s.tenant_id = $1 AND s.application_id = $2
     ), live AS (
       SELECT t.id, ARRAY(SELECT d.version FROM stage s
                          LEFT JOIN template_pointers d
                            ON d.tenant_id = $1 AND d.template_id = t.id AND d.environment_id = s.environment_id
                          ORDER BY s.n) AS versions
       FROM template_facts t WHERE t.tenant_id = $1 AND t.application_id = $2 AND t.archived_at IS NULL
     ), compared AS MATERIALIZED (
       SELECT id, versions, ARRAY(SELECT versions[i] IS DISTINCT FROM versions[i + 1]
                                  FROM generate_series(1, cardinality(versions) - 1) AS i ORDER BY i) AS differs
       FROM live
     ), page AS (
       SELECT t.id, t.name, t.channel, t.region, t.language, t.provider, t.latest_version, l.differs
       FROM compared l JOIN template_facts t ON t.tenant_id = $1 AND t.id = l.id
       WHERE ${conditions.sql} ORDER BY t.name, t.id LIMIT ${limit}
     )
     SELECT
       coalesce((SELECT jsonb_agg(jsonb_build_object('environmentId', s.environment_id, 'environment', s.slug, 'name', s.name,
                   'kind', s.kind, 'gates', s.gates) ORDER BY s.n) FROM stage s), '[]') AS stages,
       coalesce((SELECT jsonb_agg((SELECT count(*) FROM compared c WHERE c.differs[s.n]) ORDER BY s.n)
                 FROM stage s WHERE s.n < (SELECT count(*) FROM stage)), '[]') AS differences,
       coalesce((SELECT jsonb_agg(jsonb_build_object('templateId', p.id, 'name', p.name, 'channel', p.channel, 'region', p.region,
                   'language', p.language, 'provider', p.provider, 'latestVersion', p.latest_version, 'archivedAt', null,
                   'differs', to_jsonb(p.differs), 'stages', (
                     SELECT jsonb_agg(jsonb_build_object('environmentId', s.environment_id, 'version', d.version,
                              'disabled', coalesce(d.disabled, false), 'disabledReason', d.disabled_reason,
                              'deployedAt', d.deployed_at, 'openPromotionId', i.promotion_id) ORDER BY s.n)
                     FROM stage s
                     LEFT JOIN template_pointers d
                       ON d.tenant_id = $1 AND d.template_id = p.id AND d.environment_id = s.environment_id
                     LEFT JOIN promotion_items i
                       ON i.tenant_id = $1 AND i.template_id = p.id AND i.to_environment_id = s.environment_id AND i.open
                   )) ORDER BY p.name, p.id) FROM page p), '[]') AS rows`,
    conditions.values,
  );
  const [board] = rows;
  if (!board) throw new Error("the board's statement answers one row");
  return { stages: board.stages.map(toStage), differences: board.differences, rows: board.rows };
}
