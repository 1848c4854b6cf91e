import type { ConsentPolicy, NotificationClass, TenantSettings } from "../tenancy/schemas.ts";

export type { ConsentPolicy };

/** What each class requires where nothing else is said. */
export const defaultPolicies: Record<NotificationClass, ConsentPolicy> = {
  authentication: "exempt",
  transactional: "opt_out",
  service: "opt_out",
  marketing: "opt_in_required",
};

/** The policy for a message: the most specific of the tenant's overrides, else the class's default. */
export function consentPolicy(
  settings: Pick<TenantSettings, "consentPolicies">,
  message: { class: NotificationClass; channel: string; region: string },
): ConsentPolicy {
  const overrides = settings.consentPolicies.filter(
    (entry) =>
      entry.class === message.class &&
      (entry.channel === undefined || entry.channel === message.channel) &&
      (entry.region === undefined || entry.region === message.region),
  );
  overrides.sort((a, b) => weight(b) - weight(a));
  return overrides[0]?.policy ?? defaultPolicies[message.class];
}

/**
 * Of which class consent is asked for a message: its own, or marketing where WhatsApp counts its template as that. What WhatsApp
 * calls utility or authentication says nothing that the class did not.
 */
export function consentClass(of: NotificationClass, category: string | null | undefined): NotificationClass {
  return category === "marketing" ? "marketing" : of;
}

/** Whether a recipient who has said this, or nothing, may be written to. */
export function isAllowed(policy: ConsentPolicy, said: "opted_in" | "opted_out" | null): boolean {
  if (policy === "exempt") return true;
  return policy === "opt_out" ? said !== "opted_out" : said === "opted_in";
}

/**
 * The policy for a message that somebody says they send to themselves: asking for it is consent enough, but nobody has
 * proven that the address is theirs, so what its owner has refused stays refused.
 */
export function testPolicy(policy: ConsentPolicy): ConsentPolicy {
  return policy === "opt_in_required" ? "opt_out" : policy;
}

function weight(entry: { channel?: string | undefined; region?: string | undefined }): number {
  return (entry.channel === undefined ? 0 : 2) + (entry.region === undefined ? 0 : 1);
}
