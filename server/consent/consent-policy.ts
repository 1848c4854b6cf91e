import { z } from "zod";
import { notificationClassSchema } from "../tenancy/schemas.ts";
import type { NotificationClass } from "../tenancy/schemas.ts";

/** opt_in_required: only with consent. opt_out: unless withdrawn. exempt: never asked. */
export const consentPolicySchema = z.enum(["opt_in_required", "opt_out", "exempt"]);
export type ConsentPolicy = z.infer<typeof consentPolicySchema>;

const defaults: Record<NotificationClass, ConsentPolicy> = {
  authentication: "exempt",
  transactional: "opt_out",
  service: "opt_out",
  marketing: "opt_in_required",
};

/** How a tenant departs from the defaults, in its settings under `consentPolicies`. Empty fields match anything. */
export const consentPolicyOverrideSchema = z.object({
  class: notificationClassSchema,
  channel: z.enum(["sms", "email", "whatsapp"]).optional(),
  region: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
  policy: consentPolicySchema,
});
const settingsSchema = z.object({ consentPolicies: z.array(consentPolicyOverrideSchema).default([]) });

/** The policy for a message: the most specific of the tenant's overrides, else the class's default. */
export function consentPolicy(
  settings: unknown,
  message: { class: NotificationClass; channel: string; region: string },
): ConsentPolicy {
  const parsed = settingsSchema.safeParse(settings);
  const overrides = (parsed.success ? parsed.data.consentPolicies : []).filter(
    (entry) =>
      entry.class === message.class &&
      (entry.channel === undefined || entry.channel === message.channel) &&
      (entry.region === undefined || entry.region === message.region),
  );
  overrides.sort((a, b) => weight(b) - weight(a));
  return overrides[0]?.policy ?? defaults[message.class];
}

/**
 * The policy for a message that somebody says they send to themselves: asking for it is consent enough, but nobody has
 * shown that the address is theirs, so what its owner has refused stays refused.
 */
export function testPolicy(policy: ConsentPolicy): ConsentPolicy {
  return policy === "opt_in_required" ? "opt_out" : policy;
}

function weight(entry: { channel?: string | undefined; region?: string | undefined }): number {
  return (entry.channel === undefined ? 0 : 2) + (entry.region === undefined ? 0 : 1);
}
