import type { Tx } from "../kernel/db.ts";
import type { TenantSettings } from "./schemas.ts";
import { readTenantSettings } from "./settings.ts";

/** The tenant's region and settings, which stay as they are until the transaction ends; null without a tenant. */
export async function lockTenantSettings(
  tx: Tx,
  tenantId: string,
): Promise<{ dataRegion: string; settings: TenantSettings } | null> {
  const rows = await tx.$queryRaw<{ dataRegion: string; settings: unknown }[]>`
    SELECT data_region AS "dataRegion", settings FROM tenants WHERE id = ${tenantId}::uuid FOR UPDATE`;
  return rows[0] ? { ...rows[0], settings: readTenantSettings(rows[0].settings) } : null;
}
