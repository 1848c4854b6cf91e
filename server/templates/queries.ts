import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { TemplateChannel, TemplateMetadata } from "./metadata.ts";
import type { VersionContent } from "./render.ts";
import type { VariableDeclaration } from "./variables.ts";

/** A template that is deployed in an environment, with the version that is live there. */
export interface LiveTemplate {
  id: string;
  name: string;
  version: number;
  channel: TemplateChannel;
  notificationType: string;
  notificationSubtype: string;
  /** null: any. */
  region: string | null;
  language: string | null;
  provider: string | null;
  /** The kill switch of this environment is on. */
  disabled: boolean;
  variables: VariableDeclaration[];
}

const liveSelect = `
  SELECT t.id, t.name, d.version, t.channel, t.notification_type AS "notificationType",
         t.notification_subtype AS "notificationSubtype", t.region, t.language, t.provider, d.disabled, v.variables
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
  return queryInTenant<LiveTemplate>(
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
  return queryInTenant<LiveTemplate>(ctx, `${liveSelect} AND t.name = $4 ORDER BY t.id`, [
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
): Promise<VersionContent | undefined> {
  const rows = await queryInTenant<{
    channel: TemplateChannel;
    subject: string | null;
    body: string;
    metadata: TemplateMetadata;
    variables: VariableDeclaration[];
  }>(
    ctx,
    `SELECT t.channel, v.subject, v.body, v.metadata, v.variables
     FROM template_versions v JOIN templates t ON t.tenant_id = v.tenant_id AND t.id = v.template_id
     WHERE v.tenant_id = $1 AND v.template_id = $2 AND v.version = $3`,
    [ctx.tenantId, templateId, version],
  );
  return rows[0];
}
