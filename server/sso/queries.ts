import type { Ctx } from "../kernel/ctx.ts";
import { camelRows, queryInTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import type { ProviderKind } from "./schemas.ts";

type TenantDb = Pick<Ctx, "db" | "tenantId">;

export interface ProviderRow {
  id: string;
  kind: ProviderKind;
  name: string;
  issuer: string;
  clientId: string;
  clientSecret: Buffer;
  /** Seals the secret; of the same statement, because a rotation changes both. */
  dataKey: Buffer;
  scopes: string;
  roleClaim: string;
  admits: boolean;
  enabled: boolean;
  updatedAt: Date;
}

/** One provider, with what opens its secret. */
export async function selectProvider(ctx: TenantDb, id: string): Promise<ProviderRow | undefined> {
  const rows = await queryInTenant<ProviderRow>(
    ctx,
    `SELECT p.id, p.kind, p.name, p.issuer, p.client_id, p.client_secret, t.data_key, p.scopes, p.role_claim, p.admits, p.enabled,
            p.updated_at
     FROM identity_providers p JOIN tenant_facts t ON t.id = p.tenant_id
     WHERE p.tenant_id = $1 AND p.id = $2`,
    [ctx.tenantId, id],
  );
  return rows[0];
}

export interface ListedProviderRow {
  id: string;
  kind: ProviderKind;
  name: string;
  issuer: string;
  clientId: string;
  scopes: string;
  roleClaim: string;
  admits: boolean;
  enabled: boolean;
  createdByName: string;
  createdAt: Date;
}

/** The providers by name, without their secrets. */
export async function selectProviders(tx: Tx, tenantId: string): Promise<ListedProviderRow[]> {
  const rows = await tx.identityProvider.findMany({
    where: { tenantId },
    omit: { clientSecret: true, updatedAt: true, tenantId: true },
    orderBy: { name: "asc" },
    take: 50,
  });
  return rows.map((row) => ({ ...row, kind: row.kind as ProviderKind }));
}

/** A provider, held until the transaction ends, so that two changes of it happen one after the other. */
export async function lockProvider(tx: Tx, tenantId: string, id: string) {
  await tx.$queryRaw`
    SELECT id FROM identity_providers WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid FOR UPDATE`;
  return tx.identityProvider.findUnique({ where: { tenantId_id: { tenantId, id } } });
}

/** Whether a provider is switched on and still as it was when it was read; if so, it stays that until the transaction ends. */
export async function holdProvider(
  tx: Tx,
  { tenantId, id, updatedAt }: { tenantId: string; id: string; updatedAt: Date },
): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM identity_providers
    WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid AND enabled AND updated_at = ${updatedAt}::timestamptz FOR SHARE`;
  return rows.length > 0;
}

/** One change of a tenant's providers and rules at a time. */
export async function lockProviders(tx: Tx, tenantId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('tidings.identity providers ' || ${tenantId}, 0))`;
}

export interface RuleRow {
  id: string;
  providerId: string;
  value: string | null;
  roleId: string;
  unitId: string | null;
  createdByName: string;
}

/** The rules of a tenant's providers, or of one of them. */
export function selectRules(tx: Tx, tenantId: string, providerId?: string): Promise<RuleRow[]> {
  return tx.identityProviderRule.findMany({
    where: { tenantId, ...(providerId === undefined ? {} : { providerId }) },
    select: { id: true, providerId: true, value: true, roleId: true, unitId: true, createdByName: true },
    orderBy: { id: "asc" },
    take: 1_000,
  });
}

/** The providers that are offered to people of a domain, over all tenants. */
export async function findProvidersOf(
  db: Db,
  domain: string,
): Promise<{ tenantId: string; id: string; name: string }[]> {
  return camelRows(await db.pool.query("SELECT * FROM find_identity_providers($1)", [domain]));
}

/** Takes a state, once: false when it came back before. What has ended is deleted on the way. */
export async function takeState(
  tx: Tx,
  tenantId: string,
  state: { hash: Buffer; at: Date; expiresAt: Date },
): Promise<boolean> {
  await tx.$executeRaw`
    DELETE FROM used_sign_in_states WHERE tenant_id = ${tenantId}::uuid AND hash IN (
      SELECT hash FROM used_sign_in_states
      WHERE tenant_id = ${tenantId}::uuid AND expires_at < ${state.at}::timestamptz LIMIT 100)`;
  const { count } = await tx.usedSignInState.createMany({
    data: { tenantId, hash: Uint8Array.from(state.hash), expiresAt: state.expiresAt },
    skipDuplicates: true,
  });
  return count === 1;
}
