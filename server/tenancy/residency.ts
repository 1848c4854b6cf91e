import type { TenantSettings } from "./schemas.ts";

/** The tenant's data that decides where it may be processed. */
export interface TenantResidency {
  dataRegion: string;
  settings: Pick<TenantSettings, "allowedTransferRegions">;
}

/**
 * The regions in which a tenant's data may be processed: its own, and those that its settings allow transfer to.
 * Applies to provider connections and AI services.
 */
export function allowedRegions({ dataRegion, settings }: TenantResidency): Set<string> {
  return new Set([dataRegion, ...settings.allowedTransferRegions]);
}
