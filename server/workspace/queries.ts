import type { Tx } from "../kernel/db.ts";
import type { DependentKind } from "../tenancy/schemas.ts";

type Counts = Partial<Record<DependentKind, number>>;

/** What hangs on a team, but for members and keys. */
export async function countOfUnit(tx: Tx, tenantId: string, id: string): Promise<Counts> {
  const [row] = await tx.$queryRaw<Counts[]>`
    SELECT
      (SELECT count(*)::int FROM applications WHERE tenant_id = ${tenantId}::uuid AND unit_id = ${id}::uuid) AS applications,
      (SELECT count(*)::int FROM connection_facts WHERE tenant_id = ${tenantId}::uuid AND unit_id = ${id}::uuid) AS connections,
      (SELECT count(*)::int FROM sender_facts WHERE tenant_id = ${tenantId}::uuid AND unit_id = ${id}::uuid) AS senders`;
  return row ?? {};
}

/** What hangs on an application, but for keys. */
export async function countOfApplication(tx: Tx, tenantId: string, id: string): Promise<Counts> {
  const [row] = await tx.$queryRaw<Counts[]>`
    SELECT
      (SELECT count(*)::int FROM template_facts WHERE tenant_id = ${tenantId}::uuid AND application_id = ${id}::uuid
         AND archived_at IS NULL) AS templates,
      (SELECT count(*)::int FROM rule_facts WHERE tenant_id = ${tenantId}::uuid AND application_id = ${id}::uuid) AS rules,
      (SELECT count(*)::int FROM endpoint_facts WHERE tenant_id = ${tenantId}::uuid AND application_id = ${id}::uuid) AS webhooks,
      (SELECT count(*)::int FROM connection_facts WHERE tenant_id = ${tenantId}::uuid
         AND inbound_application_id = ${id}::uuid) AS connections`;
  return row ?? {};
}

/** What hangs on an environment, but for keys. */
export async function countOfEnvironment(tx: Tx, tenantId: string, id: string): Promise<Counts> {
  const [row] = await tx.$queryRaw<Counts[]>`
    SELECT
      (SELECT count(*)::int FROM stage_facts WHERE tenant_id = ${tenantId}::uuid AND environment_id = ${id}::uuid) AS pipelines,
      (SELECT count(*)::int FROM rule_facts WHERE tenant_id = ${tenantId}::uuid AND environment_id = ${id}::uuid) AS rules,
      (SELECT count(*)::int FROM template_pointers WHERE tenant_id = ${tenantId}::uuid AND environment_id = ${id}::uuid) AS templates,
      (SELECT count(*)::int FROM endpoint_facts WHERE tenant_id = ${tenantId}::uuid AND environment_id = ${id}::uuid) AS webhooks,
      (SELECT count(*)::int FROM connection_facts WHERE tenant_id = ${tenantId}::uuid
         AND inbound_environment_id = ${id}::uuid) AS connections,
      (SELECT coalesce(sum(count), 0)::int FROM hourly_counts WHERE tenant_id = ${tenantId}::uuid AND kind = 'status'
         AND status = 'accepted' AND environment_id = ${id}::uuid) AS messages`;
  return row ?? {};
}

/** What is for a notification type, or only for one of its subtypes. */
export async function countOfType(
  tx: Tx,
  tenantId: string,
  type: string,
  subtype: string | null = null,
): Promise<Counts> {
  const [row] = await tx.$queryRaw<Counts[]>`
    SELECT
      (SELECT count(*)::int FROM template_facts WHERE tenant_id = ${tenantId}::uuid AND notification_type = ${type}
         AND (${subtype}::text IS NULL OR notification_subtype = ${subtype}) AND archived_at IS NULL) AS templates,
      (SELECT count(*)::int FROM rule_facts WHERE tenant_id = ${tenantId}::uuid AND notification_type = ${type}
         AND (${subtype}::text IS NULL OR notification_subtype = ${subtype})) AS rules`;
  return row ?? {};
}

/** One addition to an organisation's catalogue, or change of a type, at a time, until the transaction ends. */
export async function lockCatalogue(tx: Tx, tenantId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('catalogue ' || ${tenantId}, 0))`;
}

/** Holds a team, so that nobody deletes it while something is put into it, and the other way round. */
export async function lockUnit(tx: Tx, tenantId: string, id: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM organization_units WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid FOR UPDATE`;
  return rows.length > 0;
}

/** Holds environments in the same way; answers how many of them there are. */
export async function lockEnvironments(tx: Tx, tenantId: string, ids: readonly string[]): Promise<number> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM environments WHERE tenant_id = ${tenantId}::uuid AND id = ANY (${[...ids]}::uuid[])
    ORDER BY id FOR UPDATE`;
  return rows.length;
}

/** Gives the tenant another name. */
export async function renameTenant(tx: Tx, name: string): Promise<void> {
  await tx.$executeRaw`SELECT rename_tenant(${name})`;
}
