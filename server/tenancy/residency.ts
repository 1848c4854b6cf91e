import { z } from "zod";

const settingsSchema = z.object({ allowedTransferRegions: z.array(z.string()).default([]) });

/**
 * The regions in which a tenant's data may be processed: its own, and those that its settings allow transfer to. Holds for
 * provider connections and for AI services alike.
 */
export function allowedRegions(tenant: { dataRegion: string; settings: unknown }): Set<string> {
  const settings = settingsSchema.safeParse(tenant.settings);
  return new Set([tenant.dataRegion, ...(settings.success ? settings.data.allowedTransferRegions : [])]);
}
