import type { TenantSettings } from "./schemas.ts";

/** What decides where a tenant's data may be processed. */
export interface TenantResidency {
  dataRegion: string;
  settings: Pick<TenantSettings, "allowedTransferRegions">;
}

/**
 * The regions in which a tenant's data may be processed: its own, and those that its settings allow transfer to. Holds for
 * provider connections and for AI services alike.
 */
export function allowedRegions({ dataRegion, settings }: TenantResidency): Set<string> {
  return new Set([dataRegion, ...settings.allowedTransferRegions]);
}
