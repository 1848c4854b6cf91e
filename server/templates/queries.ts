import type { ModerationResult } from "../content-checks/schemas.ts";
import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { lookUpInTenant, queryInTenant } from "../kernel/db.ts";
import type { Prisma, Tx } from "../kernel/db.ts";
import type { Scope } from "../operations/authorize.ts";
import type { VersionContent } from "../template-language/render.ts";
import type { VariableDeclaration } from "../template-language/variables.ts";
import { narrowed } from "./library-queries.ts";
import type { ProvenanceKind } from "./schemas.ts";

/** What a template is for. */
export interface Audience {
  applicationId: string;
  notificationType: string;
  notificationSubtype: string;
  channel: Channel;
  /** null: any. */
  region: string | null;
  language: string | null;
  provider: string | null;
}

/** A template that is deployed in an environment, with the version that is live there. */
export interface LiveTemplate extends Omit<Audience, "applicationId"> {
  id: string;
  name: string;
  version: number;
  /** The kill switch of this environment is on. */
  disabled: boolean;
  variables: VariableDeclaration[];
  /** The sender that it names; without one the connection's own. */
  sender?: string | null;
  /** What WhatsApp counts it as. */
  category?: string | null;
}

const liveSelect = `
  SELECT t.id, t.name, d.version, t.channel, t.notification_type AS "notificationType",
         t.notification_subtype AS "notificationSubtype", t.region, t.language, t.provider, d.disabled, v.variables,
         coalesce(v.metadata->>'senderId', v.metadata->>'from') AS sender,
         CASE WHEN t.channel = 'whatsapp' THEN (SELECT c.category FROM template_categories c WHERE c.tenant_id = t.tenant_id
           AND c.template_id = t.id AND c.version = d.version) END AS category
  FROM templates t
  JOIN template_deployments d ON d.tenant_id = t.tenant_id AND d.template_id = t.id AND d.environment_id = $2
  JOIN template_versions v ON v.tenant_id = d.tenant_id AND v.template_id = d.template_id AND v.version = d.version
  WHERE t.tenant_id = $1 AND t.application_id = $3 AND t.archived_at IS NULL`;

/** The live templates of one type and subtype, oldest first. */
export async function findLiveByType(
  ctx: Pick<Ctx, "db" | "tenantId">,
  where: {
    environmentId: string;
    applicationId: string;
    notificationType: string;
    notificationSubtype: string;
  },
): Promise<LiveTemplate[]> {
  return lookUpInTenant<LiveTemplate>(
    ctx,
    `${liveSelect} AND t.notification_type = $4 AND t.notification_subtype = $5 ORDER BY t.id`,
    [
      ctx.tenantId,
      where.environmentId,
      where.applicationId,
      where.notificationType,
      where.notificationSubtype,
    ],
  );
}

/** The live templates of one name, oldest first. */
export async function findLiveByName(
  ctx: Pick<Ctx, "db" | "tenantId">,
  where: { environmentId: string; applicationId: string; name: string },
): Promise<LiveTemplate[]> {
  return lookUpInTenant<LiveTemplate>(ctx, `${liveSelect} AND t.name = $4 ORDER BY t.id`, [
    ctx.tenantId,
    where.environmentId,
    where.applicationId,
    where.name,
  ]);
}

/** The content of one version; undefined when there is no such version. */
export async function findVersionContent(
  ctx: Pick<Ctx, "db" | "tenantId">,
  templateId: string,
  version: number,
): Promise<{ content: VersionContent; language: string | null } | undefined> {
  const rows = await queryInTenant<VersionContent & { language: string | null }>(
    ctx,
    `SELECT t.language, t.channel, v.subject, v.body, v.metadata, v.variables, v.compiled_body AS "compiledBody"
     FROM template_versions v JOIN templates t ON t.tenant_id = v.tenant_id AND t.id = v.template_id
     WHERE v.tenant_id = $1 AND v.template_id = $2 AND v.version = $3`,
    [ctx.tenantId, templateId, version],
  );
  const [row] = rows;
  if (!row) return undefined;
  const { language, ...content } = row;
  return { content, language };
}

/** A template with its history and deployments, as the database tells of it. */
export interface TemplateRow extends Audience {
  id: string;
  application: string;
  unitId: string;
  name: string;
  latestVersion: number;
  createdAt: Date;
  updatedAt: Date;
  archivedAt: Date | null;
  versions: {
    version: number;
    author: string;
    note: string | null;
    checkedBy: string[] | null;
    findings: number | null;
    provenance: { kind: ProvenanceKind; model: string | null };
    review: { by: string; at: string } | null;
    createdAt: string;
  }[];
  deployments: {
    environmentId: string;
    environment: string;
    version: number;
    disabled: boolean;
    disabledAt: string | null;
    disabledBy: string | null;
    disabledReason: string | null;
    deployedAt: string;
  }[];
}

/** How many versions one answer contains. */
const shownVersions = 100;

/** The review of a version `v`, as JSON. */
const reviewOf = `(SELECT jsonb_build_object('by', r.reviewer_name, 'at', to_char(r.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
                    FROM template_reviews r
                    WHERE r.tenant_id = v.tenant_id AND r.template_id = v.template_id AND r.version = v.version)`;

const templateSelect = `
  SELECT t.id, a.name AS application, t.application_id AS "applicationId", a.unit_id AS "unitId", t.name,
         t.notification_type AS "notificationType", t.notification_subtype AS "notificationSubtype", t.channel,
         t.region, t.language, t.provider, t.latest_version AS "latestVersion", t.created_at AS "createdAt",
         t.updated_at AS "updatedAt", t.archived_at AS "archivedAt",
         coalesce((SELECT jsonb_agg(jsonb_build_object('version', v.version, 'author', v.author_name, 'note', v.note,
                     'checkedBy', v.moderation->'checkedBy',
                     'findings', jsonb_array_length(v.moderation->'findings'),
                     'provenance', jsonb_build_object('kind', v.provenance, 'model', v.ai_model),
                     'review', ${reviewOf}, 'createdAt', v.created_at) ORDER BY v.version DESC)
                   FROM template_versions v WHERE v.tenant_id = t.tenant_id AND v.template_id = t.id
                     AND v.version > t.latest_version - ${String(shownVersions)}), '[]') AS versions,
         coalesce((SELECT jsonb_agg(jsonb_build_object('environmentId', e.id, 'environment', e.slug, 'version', d.version,
                     'disabled', d.disabled, 'disabledAt', d.disabled_at, 'disabledBy', d.disabled_by,
                     'disabledReason', d.disabled_reason, 'deployedAt', d.deployed_at) ORDER BY e.position, e.id)
                   FROM template_deployments d JOIN environment_facts e ON e.tenant_id = d.tenant_id AND e.id = d.environment_id
                   WHERE d.tenant_id = t.tenant_id AND d.template_id = t.id), '[]') AS deployments
  FROM templates t JOIN application_facts a ON a.tenant_id = t.tenant_id AND a.id = t.application_id
  WHERE t.tenant_id = $1`;

/** One template, archived ones included; undefined when there is none. */
export async function selectTemplate(
  ctx: Pick<Ctx, "db" | "tenantId">,
  id: string,
): Promise<TemplateRow | undefined> {
  const rows = await queryInTenant<TemplateRow>(ctx, `${templateSelect} AND t.id = $2`, [ctx.tenantId, id]);
  return rows[0];
}

/** Templates, either archived or not, newest first; `before` is the last id of the previous page. */
export async function selectTemplates(
  ctx: Pick<Ctx, "db" | "tenantId">,
  where: {
    scopes: Required<Scope>[] | null;
    application?: string | undefined;
    channel?: string | undefined;
    name?: string | undefined;
    notificationType?: string | undefined;
    search?: string | undefined;
    liveIn?: string | undefined;
    archived: boolean;
    before: string | undefined;
    limit: number;
  },
): Promise<TemplateRow[]> {
  const conditions = narrowed(ctx.tenantId, where).given("t.id < ?", where.before);
  return queryInTenant<TemplateRow>(
    ctx,
    `${templateSelect} AND ${conditions.sql} ORDER BY t.id DESC LIMIT ${conditions.bind(where.limit)}`,
    conditions.values,
  );
}

/** Who wrote a version, and who has reviewed it. */
export interface StoredProvenance {
  provenance: { kind: ProvenanceKind; model: string | null };
  review: { by: string; at: string } | null;
}

/** A version as it is stored. */
export type StoredVersionContent = VersionContent &
  StoredProvenance & { note: string | null; moderation: ModerationResult; authorId: string | null };

/** Writes a person's review of a version; false when there is one already. */
export async function insertReview(
  tx: Tx,
  row: {
    tenantId: string;
    templateId: string;
    version: number;
    reviewerId: string | null;
    reviewerName: string;
    at: Date;
  },
): Promise<boolean> {
  const { count } = await tx.templateReview.createMany({ data: [row], skipDuplicates: true });
  return count === 1;
}

/** A whole stored version; undefined when there is no such version. */
export async function selectVersion(
  ctx: Pick<Ctx, "db" | "tenantId">,
  templateId: string,
  version: number,
): Promise<StoredVersionContent | undefined> {
  const rows = await queryInTenant<StoredVersionContent>(
    ctx,
    `SELECT t.channel, v.subject, v.body, v.metadata, v.variables, v.compiled_body AS "compiledBody", v.note, v.moderation,
            v.author_id AS "authorId", jsonb_build_object('kind', v.provenance, 'model', v.ai_model) AS provenance, ${reviewOf} AS review
     FROM template_versions v JOIN templates t ON t.tenant_id = v.tenant_id AND t.id = v.template_id
     WHERE v.tenant_id = $1 AND v.template_id = $2 AND v.version = $3`,
    [ctx.tenantId, templateId, version],
  );
  return rows[0];
}

/** The template that already serves an audience. */
export async function findByAudience(
  tx: Tx,
  tenantId: string,
  audience: Audience,
): Promise<{ id: string; name: string } | null> {
  return tx.template.findFirst({
    where: { tenantId, ...audience, archivedAt: null },
    select: { id: true, name: true },
  });
}

/**
 * A template of the same name that is for another type or subtype. Locks the name until the transaction ends, so that two
 * templates made at once cannot disagree.
 */
export async function findOtherMeaning(
  tx: Tx,
  tenantId: string,
  name: string,
  audience: Audience,
): Promise<{ notificationType: string; notificationSubtype: string } | null> {
  const key = `${tenantId} ${audience.applicationId} ${name}`;
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`;
  return tx.template.findFirst({
    where: {
      tenantId,
      applicationId: audience.applicationId,
      name,
      archivedAt: null,
      NOT: { notificationType: audience.notificationType, notificationSubtype: audience.notificationSubtype },
    },
    select: { notificationType: true, notificationSubtype: true },
  });
}

/**
 * Takes the next version number; null when the template is gone or archived, or when its latest version is not the
 * expected one. The row stays locked until the transaction ends.
 */
export async function takeNextVersion(
  tx: Tx,
  tenantId: string,
  id: string,
  now: Date,
  expectedVersion: number | undefined,
): Promise<number | null> {
  const { count } = await tx.template.updateMany({
    where: {
      tenantId,
      id,
      archivedAt: null,
      ...(expectedVersion === undefined ? {} : { latestVersion: expectedVersion }),
    },
    data: { latestVersion: { increment: 1 }, updatedAt: now },
  });
  if (count === 0) return null;
  const row = await tx.template.findUniqueOrThrow({
    where: { tenantId_id: { tenantId, id } },
    select: { latestVersion: true },
  });
  return row.latestVersion;
}

/** Writes an immutable version. */
export async function insertVersion(
  tx: Tx,
  row: {
    tenantId: string;
    templateId: string;
    version: number;
    content: Omit<VersionContent, "channel">;
    note: string | null;
    authorId: string | null;
    authorName: string;
    moderation: ModerationResult;
    provenance: { kind: ProvenanceKind; model: string | null };
    createdAt: Date;
  },
): Promise<void> {
  const { content, moderation, provenance, ...columns } = row;
  await tx.templateVersion.create({
    data: {
      ...columns,
      subject: content.subject,
      body: content.body,
      compiledBody: content.compiledBody,
      metadata: plainJson(content.metadata),
      variables: plainJson(content.variables),
      moderation: plainJson(moderation),
      provenance: provenance.kind,
      aiModel: provenance.model,
    },
  });
}

/** Prisma's JSON type does not allow optional members. */
const plainJson = (value: unknown) => JSON.parse(JSON.stringify(value)) as Prisma.InputJsonValue;

/** Whether one of the environments is a stage of the application's pipeline after the first. */
export async function hasLaterStage(
  tx: Tx,
  tenantId: string,
  applicationId: string,
  environmentIds: readonly string[],
): Promise<boolean> {
  const later = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM stage_facts s WHERE s.tenant_id = ${tenantId}::uuid AND s.application_id = ${applicationId}::uuid
      AND s.environment_id = ANY (${[...environmentIds]}::uuid[])
      AND s.position > (SELECT min(f.position) FROM stage_facts f
                        WHERE f.tenant_id = s.tenant_id AND f.application_id = s.application_id) LIMIT 1`;
  return later.length > 0;
}

/** Makes a version live in environments; answers what was live there before. The kill switch stays as it is. */
export async function deployVersion(
  tx: Tx,
  tenantId: string,
  templateId: string,
  version: number,
  environmentIds: readonly string[],
  now: Date,
): Promise<Map<string, number>> {
  const before = await tx.templateDeployment.findMany({
    where: { tenantId, templateId, environmentId: { in: [...environmentIds] } },
    select: { environmentId: true, version: true },
  });
  for (const environmentId of environmentIds) {
    await tx.templateDeployment.upsert({
      where: { tenantId_templateId_environmentId: { tenantId, templateId, environmentId } },
      create: { tenantId, templateId, environmentId, version, deployedAt: now },
      update: { version, promotionId: null, deployedAt: now },
    });
  }
  return new Map(before.map((row) => [row.environmentId, row.version]));
}
