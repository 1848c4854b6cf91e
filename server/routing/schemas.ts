/** Routing rules for REST, tRPC and the portal's forms. Safe in the browser. */
import { z } from "zod";
import { breakerSchema } from "../connections/schemas.ts";
import { channelSchema } from "../kernel/channel.ts";
import { routingLimits } from "./vocabulary.ts";

const regionSchema = z.string().regex(/^[A-Z]{2}$/, { error: "Two capital letters, like DE" });
const wireName = z.string().min(1).max(64);

/** Conditions of a rule; null matches anything. */
const conditions = {
  region: regionSchema.nullable().default(null).meta({ example: "DE" }),
  application: wireName.nullable().default(null).meta({ example: "webshop" }),
  channel: channelSchema.nullable().default(null),
  notificationType: wireName.nullable().default(null).meta({ example: "order" }),
  notificationSubtype: wireName.nullable().default(null).meta({ example: "order_status" }),
};

/** One connection of a tier and its share of the tier's messages. */
export const tierMemberSchema = z.strictObject({
  connectionId: z.uuid(),
  weight: z
    .int({ error: "Whole percent" })
    .min(1, "At least 1 percent. Remove the connection instead")
    .max(100, "At most 100 percent")
    .meta({ description: "Percent; those of a tier add up to 100" }),
});

const tiersSchema = z
  .array(
    z
      .array(tierMemberSchema)
      .min(1, "A tier has at least one connection")
      .max(routingLimits.connections, `At most ${String(routingLimits.connections)} connections a tier`),
  )
  .min(1, "At least one tier")
  .max(routingLimits.tiers, `At most ${String(routingLimits.tiers)} tiers`)
  .meta({ description: "In order of use" });

/** A rule as input. */
export const ruleInputSchema = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, "Give the rule a name")
    .max(100)
    .regex(/^\P{Cc}*$/u, { error: "Control characters are not allowed" })
    .meta({ example: "Order status to Germany" }),
  enabled: z.boolean().default(true),
  ...conditions,
  priority: z.int().min(1).max(1_000_000).default(100).meta({
    description: "Among equally specific rules, the lower number wins",
  }),
  tiers: tiersSchema,
});
export type RuleInput = z.output<typeof ruleInputSchema>;

const revision = z.int().min(0).meta({
  description:
    "The revision the change is based on. If there is a newer one, the answer is 409 revision_conflict",
});
const note = z.string().trim().max(500).meta({ description: "Why, for the history" });

/** Common members of every change. */
export const changeSchema = z.strictObject({ revision: revision.optional(), note: note.optional() });

/** Body of POST /v1/routing-rules and of PUT /v1/routing-rules/{id}. */
export const ruleChangeSchema = ruleInputSchema.extend(changeSchema.shape);

/** Body of PUT /v1/routing-rules. */
export const ruleSetSchema = z.strictObject({
  revision,
  note: note.optional(),
  rules: z
    .array(ruleInputSchema.extend({ id: z.uuid().optional() }))
    .max(routingLimits.rules, `At most ${String(routingLimits.rules)} rules in an environment`)
    .meta({
      description:
        "All rules the caller can manage. A rule with an ID is updated, one without is created, and rules that are not listed are deleted",
    }),
});

/** A new order of rules that are equally specific. */
export const reorderSchema = changeSchema.extend({
  order: z.array(z.uuid()).min(2).max(routingLimits.rules),
});

export const revertSchema = changeSchema.extend({
  dropMissing: z.boolean().default(false).meta({
    description: "Omit connections that no longer exist or are no longer allowed, instead of refusing",
  }),
});

/** Health for routing; null: nothing to report. */
export const routeHealthSchema = z
  .object({
    breaker: breakerSchema,
    since: z.iso.datetime(),
    reason: z.object({ code: z.string().nullable(), detail: z.string().nullable() }),
    nextProbeAt: z.iso.datetime().nullable(),
    slow: z.boolean(),
    slowSince: z.iso.datetime().nullable(),
  })
  .nullable();
export type RouteHealth = z.output<typeof routeHealthSchema>;

/** Why a rule or a connection is left out. */
export const routeExclusionCodes = [
  "not_matching",
  "outranked",
  "connection_missing",
  "connection_disabled",
  "channel_not_carried",
  "other_unit",
  "region_not_allowed",
  "sandbox_only",
  "no_weight",
] as const;
export type RouteExclusionCode = (typeof routeExclusionCodes)[number];

/** How a message is, or would be, routed: every candidate, and why the others are left out. */
export const routeSchema = z.object({
  ruleId: z.uuid().nullable().meta({ description: "The rule that applies; null: none" }),
  ruleName: z.string().nullable(),
  candidates: z
    .array(
      z.object({
        connectionId: z.uuid(),
        name: z.string(),
        tier: z.int().meta({ description: "From 0" }),
        weight: z.number(),
        share: z.number().meta({ description: "Current share of the tier's messages, in percent" }),
        health: routeHealthSchema,
      }),
    )
    .meta({
      description: "In current order of use. Within a tier, unavailable connections come last",
    }),
  excluded: z.array(
    z.object({
      ruleId: z.uuid(),
      ruleName: z.string(),
      connectionId: z.uuid().optional(),
      name: z.string().optional(),
      code: z.enum(routeExclusionCodes),
      why: z.string(),
    }),
  ),
});
export type ExplainedRoute = z.output<typeof routeSchema>;

const problemSchema = z.object({ code: z.string(), detail: z.string() });

/** A connection in a stored rule, with its problems. */
const storedMemberSchema = z.object({
  connectionId: z.uuid(),
  name: z.string().nullable().meta({ description: "Null: it no longer exists, or is not yours to see" }),
  weight: z.number(),
  share: z.number().meta({ description: "Percent of its tier" }),
  problem: problemSchema.nullable(),
  health: routeHealthSchema,
});

export const ruleSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  enabled: z.boolean(),
  region: z.string().nullable(),
  application: z.string().nullable(),
  channel: channelSchema.nullable(),
  notificationType: z.string().nullable(),
  notificationSubtype: z.string().nullable(),
  priority: z.int(),
  specificity: z
    .int()
    .min(0)
    .max(5)
    .meta({ description: "Number of conditions. The more specific rule wins" }),
  tiers: z.array(z.array(storedMemberSchema)),
  /** The rule with the same conditions that always takes precedence. */
  shadowedBy: z
    .object({ id: z.uuid(), name: z.string() })
    .nullable()
    .meta({ description: "A rule with the same conditions that always wins" }),
  editable: z.boolean().meta({ description: "Whether the caller can change it" }),
  updatedAt: z.iso.datetime(),
});
export type Rule = z.output<typeof ruleSchema>;

export const savedRuleSchema = ruleSchema.extend({
  revision: z.int().meta({ description: "The environment's revision now" }),
});
export type SavedRule = z.output<typeof savedRuleSchema>;

/** Answer of GET and PUT /v1/routing-rules: a set of rules is read whole, as it is written. */
export const ruleListSchema = z.object({
  revision: z.int().meta({ description: "0 until the first change" }),
  changedAt: z.iso.datetime().nullable(),
  changedBy: z.string().nullable(),
  data: z.array(ruleSchema).meta({ description: "In order of precedence" }),
});
export type RuleList = z.output<typeof ruleListSchema>;

/** The choices of a form. */
export const ruleChoicesSchema = z.object({
  connections: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      adapter: z.string(),
      channels: z.array(channelSchema),
      unitId: z.uuid().nullable(),
      processingRegion: z.string(),
      /** Why it cannot be used here. */
      problem: problemSchema.nullable(),
      health: routeHealthSchema,
    }),
  ),
  notificationTypes: z.array(z.object({ type: z.string(), subtypes: z.array(z.string()) })),
  /** Regions that rules, templates or applications of the environment name. */
  regions: z.array(z.string()),
});
export type RuleChoices = z.output<typeof ruleChoicesSchema>;

/** One difference between two revisions, in words. */
export const ruleDifferenceSchema = z.object({
  kind: z.enum(["added", "removed", "changed"]),
  ruleId: z.uuid(),
  name: z.string(),
  fields: z.array(
    z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() }),
  ),
});
export type RuleDifference = z.output<typeof ruleDifferenceSchema>;

export const revisionSchema = z.object({
  number: z.int(),
  at: z.iso.datetime(),
  by: z.object({ type: z.string(), name: z.string() }),
  summary: z.string(),
  note: z.string().nullable(),
  rules: z.int().meta({ description: "Number of rules after it" }),
  differences: z.array(ruleDifferenceSchema).meta({ description: "From the revision before; at most 100" }),
  moreDifferences: z.int(),
});
export type Revision = z.output<typeof revisionSchema>;

export const revisionListQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(50).default(20),
  cursor: z.string().max(100).optional(),
});
export const revisionListSchema = z.object({
  current: z.int(),
  data: z.array(revisionSchema).meta({ description: "Newest first" }),
  nextCursor: z.string().nullable(),
});
export type RevisionList = z.output<typeof revisionListSchema>;

export const revertedSchema = ruleListSchema.extend({
  dropped: z.array(z.object({ rule: z.string(), connection: z.string().nullable(), why: z.string() })).meta({
    description: "What could not be restored; connection null: the whole rule",
  }),
});
export type Reverted = z.output<typeof revertedSchema>;

/** Body of POST /v1/routing-rules/dry-run. */
export const dryRunSchema = z.strictObject({
  application: wireName,
  channel: channelSchema,
  region: regionSchema.optional().meta({ description: "The application's default region without it" }),
  notificationType: wireName,
  notificationSubtype: wireName,
  rules: z
    .array(ruleInputSchema.extend({ id: z.uuid().optional() }))
    .max(routingLimits.dryRunRules)
    .optional()
    .meta({ description: "Rules to test instead of the current ones. Nothing is saved" }),
  draft: ruleInputSchema
    .extend({ id: z.uuid().optional() })
    .optional()
    .meta({ description: "One rule to test among them, in place of the one with its ID" }),
});
export type DryRunInput = z.output<typeof dryRunSchema>;

export const dryRunResultSchema = z.object({
  application: z.string(),
  region: z.string(),
  route: routeSchema,
  problem: problemSchema.nullable().meta({ description: "Why such a message would not be sent" }),
  warnings: z.array(problemSchema.extend({ connectionId: z.uuid() })),
});
export type DryRunResult = z.output<typeof dryRunResultSchema>;

/** What happens to the messages of a cell of the matrix; several when its types or regions are routed differently. */
const decisionSchema = z.object({
  ruleId: z.uuid().nullable(),
  ruleName: z.string().nullable(),
  /** Names of the usable connections, tier by tier; empty: nothing carries the message. */
  tiers: z.array(z.array(z.object({ name: z.string(), share: z.number() }))),
  problem: problemSchema.nullable(),
  /** The cell's types and regions that it is about, at most 20. */
  about: z.array(
    z.object({ region: z.string(), type: z.string().nullable(), subtype: z.string().nullable() }),
  ),
  count: z.int(),
});
export type RouteDecision = z.output<typeof decisionSchema>;

export const routingMatrixQuerySchema = z.object({
  environmentId: z.uuid(),
  by: z.enum(["region", "type"]).default("region"),
  unitId: z.uuid().optional(),
  search: z.string().trim().max(100).optional(),
});

export const routingMatrixSchema = z.object({
  columns: z.array(z.string()),
  rows: z.array(
    z.object({
      applicationId: z.uuid(),
      application: z.string(),
      title: z.string(),
      channel: channelSchema,
      /** Templates of the channel are live here; otherwise nothing can be sent on it yet. */
      live: z.boolean(),
      /** Besides the columns; null: no template of the row is live for the column. */
      cells: z.array(z.array(decisionSchema).nullable()),
    }),
  ),
  /** Applications that were left out. */
  moreApplications: z.int(),
  moreColumns: z.int(),
});
export type RoutingMatrix = z.output<typeof routingMatrixSchema>;

export const unroutableQuerySchema = z.object({
  environmentId: z.uuid(),
  unitId: z.uuid().optional(),
  hours: z.union([z.literal(24), z.literal(168)]).default(24),
});

export const unroutableSchema = z.object({
  /** What cannot be sent with the present rules, or only without a sender. */
  gaps: z.array(
    z.object({
      application: z.string(),
      title: z.string(),
      channel: channelSchema,
      severity: z.enum(["blocked", "warning"]),
      problem: problemSchema,
      ruleId: z.uuid().nullable(),
      ruleName: z.string().nullable(),
      reasons: z.array(z.string()),
      about: decisionSchema.shape.about,
      count: z.int(),
    }),
  ),
  moreGaps: z.int(),
  /** How many combinations of application, channel, type and region were checked. */
  checked: z.int(),
  traffic: z.array(
    z.object({
      application: z.string(),
      title: z.string(),
      channel: channelSchema,
      count: z.int(),
      lastHour: z.iso.datetime(),
    }),
  ),
});
export type Unroutable = z.output<typeof unroutableSchema>;
