import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Scope } from "../operations/authorize.ts";
import { Conditions } from "../operations/conditions.ts";
import type { TemplateGroup, TemplateGroupQuery, TemplateVariant } from "./library-schemas.ts";
import type { Audience } from "./queries.ts";

/** Words of a search that count; more would only cost. */
const searchWords = 8;

const asciiLower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Spellings of a word, A to Z in lower case: as typed, lower case, upper case and capitalised. */
function spellings(word: string): string[] {
  const small = word.toLowerCase();
  const [first = ""] = small;
  const capitalised = first.toUpperCase() + small.slice(first.length);
  return [...new Set([word, small, word.toUpperCase(), capitalised].map(asciiLower))];
}

/**
 * Whether every word of a search occurs in a template's audience or latest text. Pushes its parameters. Compared by
 * position, so that no character has a special meaning. Without an index, because under row-level security Postgres
 * would not use one for it: the tenant's texts are read, and folded in the C collation, which is much faster than
 * Unicode's; other scripts are found by their usual spellings.
 */
function searchSql(search: string | undefined, where: Conditions): string {
  const words = (search ?? "").normalize("NFC").split(/\s+/u).filter(Boolean).slice(0, searchWords);
  if (words.length === 0) return "true";
  const parameters = words.map((word) => spellings(word).map((spelling) => where.bind(spelling)));
  const allIn = (text: string) =>
    parameters
      .map((forms) => `(${forms.map((parameter) => `strpos(${text}, ${parameter}) > 0`).join(" OR ")})`)
      .join(" AND ");
  const names =
    "t.name, t.notification_type, t.notification_subtype, t.channel, t.region, t.language, t.provider, t.id";
  return `((${allIn(`lower(concat_ws(' ', ${names}) COLLATE "C")`)})
    OR EXISTS (SELECT FROM template_versions v
                 CROSS JOIN LATERAL lower(concat_ws(' ', ${names}, v.subject, v.body) COLLATE "C") AS said
               WHERE v.tenant_id = t.tenant_id AND v.template_id = t.id AND v.version = t.latest_version
                 AND ${allIn("said")}))`;
}

/** A group's position in either order; times in milliseconds. */
export interface GroupPlace {
  changed: number;
  name: string;
  applicationId: string;
  notificationType: string;
  notificationSubtype: string;
}

type Iso<Row> = Omit<Row, "updatedAt" | "archivedAt"> & { updatedAt: string; archivedAt: string | null };
export type GroupRow = Omit<TemplateGroup, "changedAt" | "changedBy" | "findings" | "variants"> & {
  changedAt: Date;
  changedBy: string | null;
  findings: number;
  variants: Iso<TemplateVariant>[];
};

const key = "application_id, name, notification_type, notification_subtype";
const sameGroup = (a: string, b: string) =>
  key
    .split(", ")
    .map((column) => `${a}.${column} = ${b}.${column}`)
    .join(" AND ");

/**
 * The versions of a template in the pipeline's stages: more than one value, including "none", means that they differ.
 */
const differs = `(SELECT count(DISTINCT coalesce(d.version, 0)) FROM stage_facts s
    LEFT JOIN template_deployments d ON d.tenant_id = s.tenant_id AND d.environment_id = s.environment_id AND d.template_id = t.id
    WHERE s.tenant_id = t.tenant_id AND s.application_id = t.application_id) > 1`;

/** What every list of templates may be narrowed by, and what the caller may see of it. */
export function narrowed(
  tenantId: string,
  where: {
    scopes: Required<Scope>[] | null;
    archived: boolean;
    application?: string | undefined;
    channel?: string | undefined;
    name?: string | undefined;
    notificationType?: string | undefined;
    search?: string | undefined;
    /** Only those that this environment uses. */
    liveIn?: string | undefined;
  },
): Conditions {
  const conditions = new Conditions([tenantId])
    .and(where.archived ? "t.archived_at IS NOT NULL" : "t.archived_at IS NULL")
    .given("a.name = ?", where.application)
    .given("t.name = ?", where.name)
    .given("t.channel = ?", where.channel)
    .given("t.notification_type = ?", where.notificationType)
    .given(
      `EXISTS (SELECT FROM template_deployments d WHERE d.tenant_id = t.tenant_id AND d.template_id = t.id
                 AND d.environment_id = ? AND NOT d.disabled)`,
      where.liveIn,
    )
    .within(where.scopes, { unit: "a.unit_id", application: "a.id", environment: "NULL::uuid" });
  return conditions.and(searchSql(where.search, conditions));
}

/** Groups behind a place. Names are unique with the rest of the key, so either order is total. */
function behind(
  sort: TemplateGroupQuery["sort"],
  place: GroupPlace | undefined,
  conditions: Conditions,
): string {
  if (!place) return "true";
  const { name, applicationId, notificationType, notificationSubtype, changed } = place;
  const parameters = [name.toLowerCase(), name, applicationId, notificationType, notificationSubtype].map(
    (value) => conditions.bind(value),
  );
  const later = `(lower(name), name, application_id, notification_type, notification_subtype) > (${parameters.join(", ")})`;
  if (sort === "name") return later;
  const at = `${conditions.bind(new Date(changed))}::timestamptz`;
  return `(max(updated_at) < ${at} OR (max(updated_at) = ${at} AND ${later}))`;
}

/**
 * Templates grouped by what requests call them, with at most `variants` of each, in one statement. Counts are over all
 * that match, including those left out of the list.
 */
export async function selectTemplateGroups(
  ctx: Pick<Ctx, "db" | "tenantId">,
  where: TemplateGroupQuery & {
    scopes: Required<Scope>[] | null;
    after: GroupPlace | undefined;
    variants: number;
  },
): Promise<GroupRow[]> {
  const conditions = narrowed(ctx.tenantId, where).given("a.unit_id = ?", where.unitId);
  if (where.differing) conditions.and(differs);
  const order = "lower(name), name, application_id, notification_type, notification_subtype";
  return queryInTenant<GroupRow>(
    ctx,
    `WITH matching AS MATERIALIZED (
       SELECT t.id, t.application_id, a.name AS application, t.name, t.notification_type, t.notification_subtype, t.channel,
              t.region, t.language, t.provider, t.latest_version, t.updated_at, t.archived_at
       FROM templates t JOIN application_facts a ON a.tenant_id = t.tenant_id AND a.id = t.application_id
       WHERE t.tenant_id = $1 AND ${conditions.sql}
     ), page AS (
       SELECT ${key}, min(application) AS application, count(*)::int AS matching, max(updated_at) AS changed
       FROM matching GROUP BY ${key} HAVING ${behind(where.sort, where.after, conditions)}
       ORDER BY ${where.sort === "changed" ? "max(updated_at) DESC, " : ""}${order} LIMIT ${conditions.bind(where.limit)}
     ), members AS (
       SELECT m.*, v.author_name, v.note,
              (SELECT w.status FROM whatsapp_approvals w
               WHERE m.channel = 'whatsapp' AND w.tenant_id = $1 AND w.template_id = m.id
                 AND w.template_name = v.metadata->>'templateName'
                 AND w.language = coalesce(v.metadata->>'language', '')) AS approval,
              CASE jsonb_typeof(v.moderation->'findings') WHEN 'array' THEN jsonb_array_length(v.moderation->'findings') ELSE 0 END AS findings,
              row_number() OVER (PARTITION BY m.application_id, m.name, m.notification_type, m.notification_subtype
                ORDER BY m.channel, m.region NULLS FIRST, m.language NULLS FIRST, m.provider NULLS FIRST, m.id) AS place,
              row_number() OVER (PARTITION BY m.application_id, m.name, m.notification_type, m.notification_subtype
                ORDER BY m.updated_at DESC, m.id DESC) AS recency
       FROM page p JOIN matching m ON ${sameGroup("m", "p")}
       LEFT JOIN template_versions v ON v.tenant_id = $1 AND v.template_id = m.id AND v.version = m.latest_version
     )
     SELECT p.application, p.application_id AS "applicationId", p.name, p.notification_type AS "notificationType",
            p.notification_subtype AS "notificationSubtype", p.changed AS "changedAt", p.matching,
            (SELECT count(*)::int FROM templates t WHERE t.tenant_id = $1 AND ${sameGroup("t", "p")}
               AND (t.archived_at IS NOT NULL) = ${where.archived ? "true" : "false"}) AS total,
            (SELECT m.author_name FROM members m WHERE ${sameGroup("m", "p")} AND m.recency = 1) AS "changedBy",
            (SELECT sum(m.findings)::int FROM members m WHERE ${sameGroup("m", "p")}) AS findings,
            (SELECT coalesce(jsonb_agg(jsonb_build_object('environmentId', e.id, 'live', e.live, 'disabled', e.disabled,
                       'behind', e.behind) ORDER BY e.position, e.id), '[]')
             FROM (SELECT e.id, e.position, count(*) FILTER (WHERE NOT d.disabled) AS live,
                          count(*) FILTER (WHERE d.disabled) AS disabled,
                          count(*) FILTER (WHERE d.version < m.latest_version) AS behind
                   FROM members m JOIN template_deployments d ON d.tenant_id = $1 AND d.template_id = m.id
                   JOIN environment_facts e ON e.tenant_id = $1 AND e.id = d.environment_id
                   WHERE ${sameGroup("m", "p")} GROUP BY e.id, e.position) e) AS environments,
            (SELECT jsonb_agg(jsonb_build_object('id', m.id, 'channel', m.channel, 'region', m.region, 'language', m.language,
                       'provider', m.provider, 'latestVersion', m.latest_version, 'author', coalesce(m.author_name, ''),
                       'note', m.note, 'findings', m.findings, 'whatsappApproval', m.approval, 'updatedAt', m.updated_at, 'archivedAt', m.archived_at,
                       'deployments', coalesce((SELECT jsonb_agg(jsonb_build_object('environmentId', e.id, 'version', d.version,
                                                         'disabled', d.disabled) ORDER BY e.position, e.id)
                          FROM template_deployments d JOIN environment_facts e ON e.tenant_id = d.tenant_id AND e.id = d.environment_id
                          WHERE d.tenant_id = $1 AND d.template_id = m.id), '[]')) ORDER BY m.place)
             FROM members m WHERE ${sameGroup("m", "p")} AND m.place <= ${conditions.bind(where.variants)}) AS variants
     FROM page p ORDER BY ${where.sort === "changed" ? "p.changed DESC, " : ""}${order
       .split(", ")
       .map((column) => (column.startsWith("lower") ? "lower(p.name)" : `p.${column}`))
       .join(", ")}`,
    conditions.values,
  );
}

/** A template as coverage looks at it. */
export interface CoverageRow extends Omit<Audience, "applicationId"> {
  id: string;
  name: string;
  latestVersion: number;
  version: number | null;
  disabled: boolean;
}

/**
 * All templates of an application that serve the same type and subtype as those of a name, oldest first, with what is live of
 * them in an environment: what requests by name and by type are decided from.
 */
export async function selectCoverage(
  ctx: Pick<Ctx, "db" | "tenantId">,
  where: { applicationId: string; name: string; environmentId: string },
): Promise<CoverageRow[]> {
  return queryInTenant<CoverageRow>(
    ctx,
    `SELECT t.id, t.name, t.notification_type AS "notificationType", t.notification_subtype AS "notificationSubtype", t.channel,
            t.region, t.language, t.provider, t.latest_version AS "latestVersion", d.version, coalesce(d.disabled, false) AS disabled
     FROM templates t
     LEFT JOIN template_deployments d ON d.tenant_id = t.tenant_id AND d.template_id = t.id AND d.environment_id = $4
     WHERE t.tenant_id = $1 AND t.application_id = $2 AND t.archived_at IS NULL
       AND (t.notification_type, t.notification_subtype) IN (
         SELECT n.notification_type, n.notification_subtype FROM templates n
         WHERE n.tenant_id = $1 AND n.application_id = $2 AND n.name = $3 AND n.archived_at IS NULL)
     ORDER BY t.id`,
    [ctx.tenantId, where.applicationId, where.name, where.environmentId],
  );
}
