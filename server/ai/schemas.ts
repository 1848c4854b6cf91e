/** The AI service as a tenant uses it: switch, policy, budget, costs. Safe in the browser. */
import { z } from "zod";
import { aiSettingsSchema } from "../tenancy/schemas.ts";

export type { AiSettings } from "../tenancy/schemas.ts";

const { shape } = aiSettingsSchema;
/** A missing member stays as it was; the defaults above would reset it. */
export const aiSettingsUpdateSchema = z.strictObject({
  enabled: shape.enabled.unwrap().optional(),
  drafting: shape.drafting.unwrap().optional(),
  policy: shape.policy.unwrap().optional(),
  /** The policy that was read: the change is refused when somebody has changed it since. */
  expectedPolicy: shape.policy.unwrap().optional(),
  monthlyTokens: shape.monthlyTokens.unwrap().optional(),
  allowWithoutAi: shape.allowWithoutAi.unwrap().optional(),
});
export type AiSettingsUpdate = z.output<typeof aiSettingsUpdateSchema>;

/** Calendar month (UTC), e.g. "2027-01"; the current one by default. */
export const aiUsageQuerySchema = z
  .object({
    month: z
      .string()
      .regex(/^20\d\d-(0[1-9]|1[0-2])$/)
      .optional(),
  })
  .default({});

export const aiPurposes = ["moderation", "draft", "rewrite", "shorten", "translate", "tone"] as const;
export type AiPurpose = (typeof aiPurposes)[number];

/** What AI can do for the tenant now. */
export interface AiStatus {
  /** The operator has configured a service. */
  configured: boolean;
  /** The tenant's texts may go there: configured, switched on, and its region is allowed. */
  available: boolean;
  /** Available, switched on for drafting and within the budget. */
  drafting: boolean;
  /** Why something is not available, as a sentence; null when nothing is missing. */
  reason: string | null;
  model: string | null;
  moderationModel: string | null;
  /** Where the service processes data. */
  region: string | null;
}

/** Usage in a calendar month (UTC). */
export interface AiUsageSummary {
  month: string;
  tokens: number;
  /** Per currency; empty when the operator has configured no price. */
  costs: { currency: string; amount: string }[];
  byPurpose: { purpose: AiPurpose; calls: number; inputTokens: number; outputTokens: number }[];
}
