import { LRUCache } from "lru-cache";
import { z } from "zod";
import { logger } from "../kernel/log.ts";
import { counter } from "../kernel/metrics.ts";
import { retentionLimits, tenantSettingsSchema } from "./schemas.ts";
import type { TenantSettings } from "./schemas.ts";

const malformed = counter(
  "tidings_malformed_settings_total",
  "Parts of tenants' settings that could not be read and count as their strictest",
  ["part"],
);

/** The values of a malformed part: what it may have forbidden stays forbidden. */
const strictest: TenantSettings = {
  ai: { enabled: false, drafting: false, policy: "", monthlyTokens: 0, allowWithoutAi: false },
  consentPolicies: [
    { class: "authentication", policy: "opt_out" },
    { class: "transactional", policy: "opt_in_required" },
    { class: "service", policy: "opt_in_required" },
    { class: "marketing", policy: "opt_in_required" },
  ],
  // Those that every organisation has still count.
  consentWords: { stop: [], start: [], help: [] },
  wordReplies: {
    stop: { enabled: false, text: null },
    start: { enabled: false, text: null },
    help: { enabled: false, text: null },
  },
  // What is deleted does not come back.
  retention: {
    contentDays: retentionLimits.contentDays.max,
    metadataMonths: retentionLimits.metadataMonths.max,
    webhookLogDays: retentionLimits.webhookLogDays.max,
  },
  allowedTransferRegions: [],
};

/** Cached by the stored value: every message asks. */
const read = new LRUCache<string, TenantSettings>({ max: 2_000 });

/**
 * A tenant's stored settings, typed, each missing part with its default. A malformed part is reported and counts as its
 * strictest value.
 * @param stored tenants.settings
 */
export function readTenantSettings(stored: unknown): TenantSettings {
  const text = JSON.stringify(stored ?? {});
  let settings = read.get(text);
  if (!settings) read.set(text, (settings = parse(stored ?? {})));
  return settings;
}

/** Whether what is stored of the consent policy can be read: "settings", when nothing of the settings can. */
export function consentPolicyProblem(stored: unknown): "policy" | "settings" | null {
  const { success, data } = z.record(z.string(), z.unknown()).safeParse(stored ?? {});
  if (!success) return "settings";
  return tenantSettingsSchema.shape.consentPolicies.safeParse(data.consentPolicies).success ? null : "policy";
}

function parse(stored: unknown): TenantSettings {
  const whole = tenantSettingsSchema.safeParse(stored);
  if (whole.success) return whole.data;
  if (typeof stored !== "object" || stored === null || Array.isArray(stored)) {
    report("all", whole.error);
    return strictest;
  }
  const parts = stored as Record<string, unknown>;
  const part = <Name extends keyof TenantSettings>(name: Name): TenantSettings[Name] => {
    const parsed = tenantSettingsSchema.shape[name].safeParse(parts[name]);
    if (parsed.success) return parsed.data as TenantSettings[Name];
    report(name, parsed.error);
    return strictest[name];
  };
  return {
    ai: part("ai"),
    consentPolicies: part("consentPolicies"),
    consentWords: part("consentWords"),
    wordReplies: part("wordReplies"),
    retention: part("retention"),
    allowedTransferRegions: part("allowedTransferRegions"),
  };
}

function report(part: string, error: Error): void {
  malformed.inc({ part });
  logger().error({ err: error, part }, "settings of an organisation cannot be read: their strictest hold");
}
