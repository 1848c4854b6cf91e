import type { Tx } from "../kernel/db.ts";
import type { TenantSettings } from "./schemas.ts";
import { consentPolicyProblem, readTenantSettings } from "./settings.ts";

/** The tenant's region and settings, which stay as they are until the transaction ends; null without a tenant. */
export async function lockTenantSettings(
  tx: Tx,
  tenantId: string,
): Promise<{
  dataRegion: string;
  settings: TenantSettings;
  policyProblem: ReturnType<typeof consentPolicyProblem>;
} | null> {
  const rows = await tx.$queryRaw<{ dataRegion: string; settings: unknown }[]>`
    SELECT data_region AS "dataRegion", settings FROM tenants WHERE id = ${tenantId}::uuid FOR UPDATE`;
  const [tenant] = rows;
  return tenant
    ? {
        dataRegion: tenant.dataRegion,
        settings: readTenantSettings(tenant.settings),
        policyProblem: consentPolicyProblem(tenant.settings),
      }
    : null;
}
