import type { Ctx } from "../kernel/ctx.ts";
import { lookUpInTenant, queryInTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import type { Scope } from "../operations/authorize.ts";
import { Conditions } from "../operations/conditions.ts";
import type { RoutingRule } from "./choose-route.ts";

type RuleColumns = Omit<RoutingRule, "tiers"> & { tiers: unknown };
export type RuleRow = RuleColumns & { enabled: boolean; updatedAt: Date };

const columns = `id, name, region, application_id AS "applicationId", channel, notification_type AS "notificationType",
            notification_subtype AS "notificationSubtype", priority, tiers`;

/** The enabled rules of an environment, for the worker. */
export function selectRules(
  ctx: Pick<Ctx, "db" | "tenantId">,
  environmentId: string,
): Promise<RuleColumns[]> {
  return lookUpInTenant(
    ctx,
    `SELECT ${columns} FROM routing_rules WHERE tenant_id = $1 AND environment_id = $2 AND enabled ORDER BY id LIMIT 10000`,
    [ctx.tenantId, environmentId],
  );
}

/** Rules by their ids, whether they are on or off. */
export function selectRulesById(
  ctx: Pick<Ctx, "db" | "tenantId">,
  ids: readonly string[],
): Promise<(RuleColumns & { enabled: boolean })[]> {
  return queryInTenant(
    ctx,
    `SELECT ${columns}, enabled FROM routing_rules WHERE tenant_id = $1 AND id = ANY ($2::uuid[])`,
    [ctx.tenantId, ids],
  );
}

/** All rules of an environment and the number, author and time of its newest revision, from one snapshot. */
export async function selectRuleSet(
  ctx: Pick<Ctx, "db" | "tenantId">,
  environmentId: string,
): Promise<{ rules: RuleRow[]; latest: LatestRevision | null }> {
  const rows = await queryInTenant<{ rules: (RuleRow & { updatedAt: string })[]; latest: unknown }>(
    ctx,
    `SELECT coalesce((SELECT jsonb_agg(to_jsonb(r) ORDER BY r.id) FROM (
              SELECT ${columns}, enabled, updated_at AS "updatedAt" FROM routing_rules
              WHERE tenant_id = $1 AND environment_id = $2 ORDER BY id LIMIT 10000) r), '[]') AS rules,
            (SELECT jsonb_build_object('number', v.number, 'by', v.actor_name, 'at', v.at) FROM routing_revisions v
             WHERE v.tenant_id = $1 AND v.environment_id = $2 ORDER BY v.number DESC LIMIT 1) AS latest`,
    [ctx.tenantId, environmentId],
  );
  const latest = rows[0]?.latest as { number: number; by: string; at: string } | null | undefined;
  return {
    rules: (rows[0]?.rules ?? []).map((row) => ({ ...row, updatedAt: new Date(row.updatedAt) })),
    latest: latest ? { ...latest, at: new Date(latest.at) } : null,
  };
}

export interface LatestRevision {
  number: number;
  by: string;
  at: Date;
}

/**
 * Locks an environment's rules until the transaction ends, so that each change sees the one before and revisions are
 * numbered without gaps; returns the rules and the newest revision.
 */
export async function lockRuleSet(
  tx: Tx,
  tenantId: string,
  environmentId: string,
): Promise<{ rules: RuleRow[]; latest: LatestRevision | null }> {
  const key = `routing ${tenantId} ${environmentId}`;
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`;
  const where = { tenantId, environmentId };
  const rules = await tx.routingRule.findMany({ where, orderBy: { id: "asc" } });
  const latest = await tx.routingRevision.findFirst({
    where,
    orderBy: { number: "desc" },
    select: { number: true, actorName: true, at: true },
  });
  return {
    rules,
    latest: latest && { number: latest.number, by: latest.actorName, at: latest.at },
  };
}

/** The tenant's connections for routing, uncached and without credentials. */
export async function selectRoutable(tx: Tx, tenantId: string) {
  const rows = await tx.$queryRaw<
    {
      id: string;
      name: string;
      unitId: string | null;
      channels: string[];
      processingRegion: string;
      enabled: boolean;
      adapter: string;
    }[]
  >`
    SELECT id, name, unit_id AS "unitId", channels, processing_region AS "processingRegion", enabled, adapter
    FROM connection_facts WHERE tenant_id = ${tenantId}::uuid ORDER BY name LIMIT 1000`;
  return new Map(rows.map((row) => [row.id, { ...row, adapter: { name: row.adapter } }]));
}

export interface RevisionRow {
  number: number;
  at: Date;
  actorType: string;
  actorName: string;
  summary: string;
  note: string | null;
  rules: unknown;
}

/** Revisions below `before`, newest first. */
export function selectRevisions(
  ctx: Pick<Ctx, "db" | "tenantId">,
  environmentId: string,
  before: number | undefined,
  limit: number,
): Promise<RevisionRow[]> {
  return queryInTenant<RevisionRow>(
    ctx,
    `SELECT number, at, actor_type AS "actorType", actor_name AS "actorName", summary, note, rules FROM routing_revisions
     WHERE tenant_id = $1 AND environment_id = $2 AND number < $3 ORDER BY number DESC LIMIT $4`,
    [ctx.tenantId, environmentId, before ?? 2_147_483_647, limit],
  );
}

/** The rules of one revision; undefined when there is no such revision. */
export async function findRevisionRules(
  tx: Tx,
  tenantId: string,
  environmentId: string,
  number: number,
): Promise<unknown> {
  const row = await tx.routingRevision.findUnique({
    where: { tenantId_environmentId_number: { tenantId, environmentId, number } },
    select: { rules: true },
  });
  return row?.rules;
}

export interface LiveAudience {
  applicationId: string;
  channel: string;
  notificationType: string;
  notificationSubtype: string;
  /** null: any. */
  region: string | null;
}

/** The combinations for which templates are live in an environment, each once. */
export function selectLiveAudiences(
  ctx: Pick<Ctx, "db" | "tenantId">,
  environmentId: string,
): Promise<LiveAudience[]> {
  return queryInTenant<LiveAudience>(
    ctx,
    `SELECT DISTINCT t.application_id AS "applicationId", t.channel, t.notification_type AS "notificationType",
            t.notification_subtype AS "notificationSubtype", t.region
     FROM template_facts t
     JOIN template_pointers d ON d.tenant_id = t.tenant_id AND d.template_id = t.id AND d.environment_id = $2
     WHERE t.tenant_id = $1 AND t.archived_at IS NULL AND NOT d.disabled
     ORDER BY 1, 2, 3, 4, 5 LIMIT 20000`,
    [ctx.tenantId, environmentId],
  );
}

/** Messages since `since` (a full hour) that failed because no connection carried them. */
export function selectUnroutedCounts(
  ctx: Pick<Ctx, "db" | "tenantId">,
  scopes: Required<Scope>[] | null,
  filter: { environmentId: string; unitId: string | undefined; since: Date },
): Promise<{ applicationId: string; channel: string; count: number; lastHour: Date }[]> {
  const where = new Conditions([ctx.tenantId, filter.environmentId, filter.since])
    .within(scopes, "")
    .given("unit_id = ?", filter.unitId);
  return queryInTenant(
    ctx,
    `SELECT application_id AS "applicationId", channel, sum(count)::float8 AS count, max(at) AS "lastHour"
     FROM hourly_counts
     WHERE tenant_id = $1 AND environment_id = $2 AND at >= $3 AND kind = 'status' AND status = 'failed' AND code = 'no_route'
       AND ${where.sql}
     GROUP BY 1, 2 ORDER BY 3 DESC LIMIT 500`,
    where.values,
  );
}
