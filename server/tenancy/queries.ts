import type { Ctx } from "../kernel/ctx.ts";
import { lookUpInTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { notFound } from "../kernel/errors.ts";
import type { EnvironmentKind, NotificationClass, TenantSettings } from "./schemas.ts";
import { consentPolicyProblem, readTenantSettings } from "./settings.ts";

export interface CatalogueApplication {
  id: string;
  /** The name that requests carry. */
  name: string;
  title: string;
  unitId: string;
  defaultRegion: string;
  defaultLanguage: string;
  /** Environment ids of the application's pipeline, first stage first. */
  stages: string[];
  /** Not used any more: nothing is sent for it, and nothing new is made in it. */
  archived: boolean;
}

export interface CatalogueEnvironment {
  id: string;
  slug: string;
  name: string;
  kind: EnvironmentKind;
}

export interface CatalogueNotificationType {
  id: string;
  type: string;
  class: NotificationClass;
  subtypes: string[];
}

/** A tenant's set-up: the small tables that nearly every request reads. */
export interface Catalogue {
  tenant: {
    id: string;
    slug: string;
    name: string;
    dataRegion: string;
    settings: TenantSettings;
    /** The stored consent policy cannot be read, or nothing of the settings can: the strictest holds. */
    policyProblem: ReturnType<typeof consentPolicyProblem>;
  };
  units: { id: string; slug: string; name: string }[];
  environments: CatalogueEnvironment[];
  applications: CatalogueApplication[];
  notificationTypes: CatalogueNotificationType[];
}

/** The whole catalogue of the ctx's tenant in one statement; undefined when there is no such tenant. */
export async function selectCatalogue(ctx: Pick<Ctx, "db" | "tenantId">): Promise<Catalogue | undefined> {
  const rows = await lookUpInTenant<{ catalogue: Catalogue }>(
    ctx,
    `SELECT jsonb_build_object(
       'tenant', jsonb_build_object('id', t.id, 'slug', t.slug, 'name', t.name, 'dataRegion', t.data_region, 'settings', t.settings),
       'units', coalesce((SELECT jsonb_agg(jsonb_build_object('id', u.id, 'slug', u.slug, 'name', u.name) ORDER BY u.name)
                          FROM organization_units u WHERE u.tenant_id = t.id), '[]'),
       'environments', coalesce((SELECT jsonb_agg(jsonb_build_object('id', e.id, 'slug', e.slug, 'name', e.name, 'kind', e.kind)
                                                  ORDER BY e.position, e.id)
                                 FROM environments e WHERE e.tenant_id = t.id), '[]'),
       'applications', coalesce((SELECT jsonb_agg(jsonb_build_object('id', a.id, 'name', a.name, 'title', a.title,
            'unitId', a.unit_id, 'defaultRegion', a.default_region, 'defaultLanguage', a.default_language,
            'archived', a.archived_at IS NOT NULL,
            'stages', coalesce((SELECT jsonb_agg(s.environment_id ORDER BY s.position) FROM stage_facts s
                                WHERE s.tenant_id = t.id AND s.application_id = a.id), '[]')) ORDER BY a.name)
          FROM applications a WHERE a.tenant_id = t.id), '[]'),
       'notificationTypes', coalesce((SELECT jsonb_agg(jsonb_build_object('id', n.id, 'type', n.type, 'class', n.class,
            'subtypes', to_jsonb(n.subtypes)) ORDER BY n.type)
          FROM notification_types n WHERE n.tenant_id = t.id), '[]')) AS catalogue
     FROM tenants t WHERE t.id = $1`,
    [ctx.tenantId],
  );
  const catalogue = rows[0]?.catalogue;
  return (
    catalogue && {
      ...catalogue,
      tenant: {
        ...catalogue.tenant,
        settings: readTenantSettings(catalogue.tenant.settings),
        policyProblem: consentPolicyProblem(catalogue.tenant.settings),
      },
    }
  );
}

/** The tenant's sealed data key, unchanged until the transaction ends. Throws `not_found` without a tenant. */
export async function lockDataKey(tx: Tx, tenantId: string): Promise<Uint8Array> {
  const [row] = await tx.$queryRaw<{ dataKey: Uint8Array }[]>`
    SELECT data_key AS "dataKey" FROM tenants WHERE id = ${tenantId}::uuid FOR SHARE`;
  if (!row) throw notFound();
  return row.dataKey;
}
