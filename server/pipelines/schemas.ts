/** Pipelines, their gates and promotions, for REST, tRPC and forms. Safe in the browser. */
import { z } from "zod";
import { channelSchema } from "../kernel/channel.ts";
import { pageOf, pageQuery } from "../kernel/page.ts";
import { gatesSchema } from "../tenancy/schemas.ts";
import { promotionLimits, promotionStates } from "./vocabulary.ts";

const note = z.string().trim().max(promotionLimits.note);
const environmentName = z.string().min(1).max(64).meta({
  description: "Short name or id of an environment",
  example: "production",
});
const applicationName = z
  .string()
  .min(1)
  .max(128)
  .meta({ description: "Name or id of an application", example: "webshop" });

export const stageSchema = z.object({
  environmentId: z.uuid(),
  environment: z.string().meta({ description: "Its short name", example: "production" }),
  name: z.string(),
  kind: z.enum(["production", "nonproduction"]),
  gates: gatesSchema,
});
export type Stage = z.output<typeof stageSchema>;

/** A change that loosens a pipeline, until a second person confirms it. */
export const pipelineProposalSchema = z.object({
  id: z.uuid(),
  stages: z.array(z.object({ environmentId: z.uuid(), environment: z.string(), gates: gatesSchema })),
  loosens: z.array(z.string()).meta({
    description: "What it loosens",
    example: ["production asks for 0 instead of 1 approvals"],
  }),
  requestedBy: z.string(),
  requestedAt: z.iso.datetime(),
  may: z
    .object({ confirm: z.boolean(), withdraw: z.boolean() })
    .meta({ description: "What the caller can do with it" }),
});
export type PipelineProposal = z.output<typeof pipelineProposalSchema>;

export const pipelineSchema = z.object({
  application: z.string(),
  applicationId: z.uuid(),
  title: z.string(),
  unitId: z.uuid(),
  stages: z.array(stageSchema),
  proposal: pipelineProposalSchema.nullable().meta({
    description: "A change awaiting confirmation by another person with pipelines:manage",
  }),
  revision: z.string().meta({ description: "Pass it with the next change" }),
});
export type Pipeline = z.output<typeof pipelineSchema>;

/** `id`: the proposal that was reviewed; another one is refused. */
export const pipelineDecisionSchema = z.strictObject({ application: applicationName, id: z.uuid() });
export type PipelineDecision = z.output<typeof pipelineDecisionSchema>;

export const pipelineListSchema = z.object({ data: z.array(pipelineSchema) });

/** The stages in order: environments of the tenant except sandboxes, each once. */
export const pipelineUpdateSchema = z.strictObject({
  application: applicationName,
  stages: z
    .array(
      z.strictObject({
        environment: environmentName,
        gates: z.strictObject(gatesSchema.shape).optional().meta({
          description:
            "What promotions into this stage must pass; without it the stage keeps its gates, and a new one gets those of its kind",
        }),
      }),
    )
    .min(1)
    .max(10),
  revision: z.string().max(64).optional().meta({
    description:
      "The revision the change is based on. If the stages, their gates or the waiting change are others by now, the answer is 409 revision_conflict",
  }),
});
export type PipelineUpdate = z.output<typeof pipelineUpdateSchema>;

/** The versions of one template in each stage. */
export const boardRowSchema = z.object({
  templateId: z.uuid(),
  name: z.string(),
  channel: channelSchema,
  region: z.string().nullable(),
  language: z.string().nullable(),
  provider: z.string().nullable(),
  latestVersion: z.int(),
  archivedAt: z.iso.datetime().nullable(),
  stages: z.array(
    z.object({
      environmentId: z.uuid(),
      /** null: not live there. */
      version: z.int().nullable(),
      disabled: z.boolean(),
      disabledReason: z.string().nullable(),
      deployedAt: z.iso.datetime().nullable(),
      /** The pending or approved promotion that would change it. */
      openPromotionId: z.uuid().nullable(),
    }),
  ),
  /** Whether neighbouring stages differ, one entry per pair of neighbours. */
  differs: z.array(z.boolean()),
});
export type BoardRow = z.output<typeof boardRowSchema>;

export const boardQuerySchema = z.object({
  application: applicationName,
  search: z.string().trim().max(200).optional(),
  channel: channelSchema.optional(),
  /** Only templates that differ between some stage and the next. */
  differing: z.boolean().default(false),
  limit: z.int().min(1).max(200).default(100),
  cursor: z.string().max(500).optional(),
});
export type BoardQuery = z.output<typeof boardQuerySchema>;

export interface Board {
  pipeline: Omit<Pipeline, "proposal" | "revision">;
  /** For each stage but the last: the total number of templates that differ from the next one. */
  differences: number[];
  data: BoardRow[];
  nextCursor: string | null;
}

/** Body of POST /v1/promotions. */
export const promotionCreateSchema = z.strictObject({
  application: applicationName.optional().meta({
    description: "May be left out by a caller who may promote in one application only",
    example: "webshop",
  }),
  to: environmentName.meta({ description: "The stage to promote into; it takes from the stage before it" }),
  templates: z
    .array(
      z.strictObject({
        templateId: z.uuid(),
        version: z.int().min(1).optional().meta({
          description: "Must be the version live in the previous stage, which is the default",
        }),
      }),
    )
    .min(1)
    .max(promotionLimits.templates)
    .optional()
    .meta({ description: "Default: all templates that differ between the two stages" }),
  note: note.optional(),
  automatic: z.boolean().default(true).meta({
    description:
      "Deploy as soon as every gate has passed: with the request, with the last approval, or within two minutes of the last other gate. One that is not automatic waits for POST …/deploy",
  }),
});
export type PromotionCreate = z.output<typeof promotionCreateSchema>;

export const promotionStateSchema = z.enum(promotionStates);
export type PromotionState = z.output<typeof promotionStateSchema>;

export const gateResultSchema = z.object({
  gate: z.enum([
    "approvals",
    "moderation",
    "whatsappApproval",
    "whatsappCategory",
    "testSend",
    "humanReview",
  ]),
  state: z.enum(["passed", "waiting", "failed"]),
  detail: z.string().meta({ description: "What is missing, or why it passed" }),
  templates: z.array(z.uuid()).meta({ description: "The templates it waits for or fails on, at most 50" }),
});
export type GateResult = z.output<typeof gateResultSchema>;

export const promotionItemSchema = z.object({
  templateId: z.uuid(),
  name: z.string(),
  channel: channelSchema,
  region: z.string().nullable(),
  language: z.string().nullable(),
  provider: z.string().nullable(),
  version: z.int(),
  previousVersion: z.int().nullable().meta({ description: "The version it replaces; null: none" }),
});
export type PromotionItem = z.output<typeof promotionItemSchema>;

export const promotionSummarySchema = z.object({
  id: z.uuid(),
  application: z.string(),
  applicationId: z.uuid(),
  from: z.object({ environmentId: z.uuid(), environment: z.string() }),
  to: z.object({ environmentId: z.uuid(), environment: z.string() }),
  state: promotionStateSchema,
  note: z.string().nullable(),
  automatic: z.boolean(),
  templates: z.int().meta({ description: "Number of templates" }),
  requestedBy: z.object({ type: z.string(), id: z.uuid().nullable(), name: z.string() }),
  requestedAt: z.iso.datetime(),
  decidedAt: z.iso.datetime().nullable(),
  deployedAt: z.iso.datetime().nullable(),
  deployedBy: z.string().nullable(),
  rolledBackAt: z.iso.datetime().nullable(),
  rolledBackBy: z.string().nullable(),
  rollbackNote: z.string().nullable(),
});
export type PromotionSummary = z.output<typeof promotionSummarySchema>;

export const promotionSchema = promotionSummarySchema.extend({
  items: z.array(promotionItemSchema),
  gates: z.array(gateResultSchema).meta({ description: "Empty once it is final" }),
  decisions: z.array(
    z.object({
      by: z.string(),
      decision: z.enum(["approve", "reject"]),
      counts: z.boolean().meta({
        description:
          "False while who decided is suspended, and once they were removed: an approval is then left out",
      }),
      withdrawn: z.boolean().meta({ description: "Withdrawn by the requester" }),
      comment: z.string().nullable(),
      at: z.iso.datetime(),
    }),
  ),
  may: z
    .object({
      decide: z.boolean().meta({ description: "Approve or reject it" }),
      withdraw: z.boolean().meta({ description: "Withdraw it as the one who requested it" }),
      deploy: z.boolean(),
      rollBack: z.boolean(),
    })
    .meta({ description: "What the caller can do with it" }),
});
export type Promotion = z.output<typeof promotionSchema>;

/** Query of GET /v1/promotions. */
export const promotionListQuerySchema = z.object({
  application: applicationName.optional(),
  environment: environmentName.optional().meta({ description: "Target stage" }),
  state: promotionStateSchema.optional(),
  templateId: z.uuid().optional(),
  ...pageQuery,
});
export type PromotionListQuery = z.output<typeof promotionListQuerySchema>;

export const promotionListSchema = pageOf(promotionSummarySchema);

export const promotionDecisionSchema = z.strictObject({ comment: note.optional() });
export type PromotionDecision = z.output<typeof promotionDecisionSchema>;

export const promotionRollbackSchema = z.strictObject({
  note: note.optional(),
  force: z.boolean().default(false).meta({
    description: "Also restore templates changed since",
  }),
});
export type PromotionRollback = z.output<typeof promotionRollbackSchema>;
