import { z } from "zod";
import { defineRoute } from "../rest/define-route.ts";
import { approvePromotion } from "./approve-promotion.ts";
import { createPromotion } from "./create-promotion.ts";
import { confirmPipelineChange, withdrawPipelineChange } from "./decide-pipeline-change.ts";
import { deployPromotion } from "./deploy-promotion.ts";
import { getPromotion } from "./get-promotion.ts";
import { listPipelines } from "./list-pipelines.ts";
import { listPromotions } from "./list-promotions.ts";
import { rejectPromotion } from "./reject-promotion.ts";
import { rollBackPromotion } from "./roll-back-promotion.ts";
import {
  pipelineListSchema,
  pipelineSchema,
  pipelineUpdateSchema,
  promotionCreateSchema,
  promotionDecisionSchema,
  promotionListQuerySchema,
  promotionListSchema,
  promotionRollbackSchema,
  promotionSchema,
} from "./schemas.ts";
import { updatePipeline } from "./update-pipeline.ts";

const one = z.object({ id: z.uuid().meta({ description: "The promotion" }) });
const tags: [string] = ["Promotions"];

export const listPipelinesRoute = defineRoute({
  method: "GET",
  path: "/v1/pipelines",
  operationId: "listPipelines",
  summary: "List pipelines",
  description:
    "The stages of each application in order, with the gates that a promotion into a stage must pass. What is saved goes live in the first stage by itself.",
  tags,
  permission: "templates:read",
  responses: { 200: { schema: pipelineListSchema, description: "One for each application, by name" } },
  handler: async (ctx) => ({ status: 200, body: await listPipelines(ctx) }),
});

export const updatePipelineRoute = defineRoute({
  method: "PUT",
  path: "/v1/pipelines/{application}",
  operationId: "updatePipeline",
  summary: "Change the stages and gates of a pipeline",
  description:
    "Replaces all stages. A change that asks for less than before (a gate lowered, a stage taken out or moved forward) answers 202: it waits in `proposal` until another person with pipelines:manage confirms it. Promotions under way keep the gates that stood when they were requested. Each is an environment of the organisation other than the sandbox, once. A key may change the stage of its own environment only, and never which of the others is the first (403 environment_mismatch). While a promotion is under way between two stages they stay neighbours: otherwise 409, which names the promotions. What is live in a stage that is taken out stays live there.",
  tags,
  permission: "pipelines:manage",
  params: z.object({
    application: z.string().min(1).max(128).meta({ description: "Name or id of the application" }),
  }),
  body: pipelineUpdateSchema.omit({ application: true }),
  responses: {
    200: { schema: pipelineSchema, description: "The pipeline as it is now" },
    202: {
      schema: pipelineSchema,
      description: "Unchanged: the change waits in `proposal` for a second person",
    },
  },
  handler: async (ctx, { params, body }) => {
    const pipeline = await updatePipeline(ctx, { ...body, application: params.application });
    return { status: pipeline.proposal ? 202 : 200, body: pipeline };
  },
});

const proposalParams = z.object({
  application: z.string().min(1).max(128).meta({ description: "Name or id of the application" }),
  id: z.uuid().meta({ description: "The proposal" }),
});

export const confirmPipelineChangeRoute = defineRoute({
  method: "POST",
  path: "/v1/pipelines/{application}/proposal/{id}/confirm",
  operationId: "confirmPipelineChange",
  summary: "Confirm a change that loosens a pipeline",
  description:
    "By another person than who proposed it (403 otherwise); of an API key that is the member who made it. 409 when the pipeline has changed since.",
  tags,
  permission: "pipelines:manage",
  params: proposalParams,
  responses: { 200: { schema: pipelineSchema, description: "The pipeline as it is now" } },
  handler: async (ctx, { params }) => ({ status: 200, body: await confirmPipelineChange(ctx, params) }),
});

export const withdrawPipelineChangeRoute = defineRoute({
  method: "DELETE",
  path: "/v1/pipelines/{application}/proposal/{id}",
  operationId: "withdrawPipelineChange",
  summary: "Drop a change that loosens a pipeline",
  tags,
  permission: "pipelines:manage",
  params: proposalParams,
  responses: { 200: { schema: pipelineSchema, description: "The pipeline, unchanged" } },
  handler: async (ctx, { params }) => ({ status: 200, body: await withdrawPipelineChange(ctx, params) }),
});

export const createPromotionRoute = defineRoute({
  method: "POST",
  path: "/v1/promotions",
  operationId: "createPromotion",
  summary: "Request a promotion",
  description:
    "Versions that are live in the stage before become live in the named stage: all of them in one moment, or none. The answer says what the gates of the stage wait for; when they wait for nothing, an automatic promotion is deployed already. The key must belong to the environment that is promoted into. 409 promotion_conflict: another promotion into the stage holds one of the templates; `conflicts` names them, the promotion and who requested it.",
  tags,
  permission: "promotions:request",
  body: promotionCreateSchema,
  responses: { 201: { schema: promotionSchema, description: "The promotion" } },
  handler: async (ctx, { body }) => {
    const promotion = await createPromotion(ctx, body);
    return { status: 201, body: promotion, headers: { Location: `/v1/promotions/${promotion.id}` } };
  },
});

export const listPromotionsRoute = defineRoute({
  method: "GET",
  path: "/v1/promotions",
  operationId: "listPromotions",
  summary: "List promotions",
  description: "Those into the key's environment. What each one moves is in the single promotion.",
  tags,
  permission: "templates:read",
  query: promotionListQuerySchema,
  responses: { 200: { schema: promotionListSchema, description: "One page, newest first" } },
  handler: async (ctx, { query }) => ({ status: 200, body: await listPromotions(ctx, query) }),
});

export const getPromotionRoute = defineRoute({
  method: "GET",
  path: "/v1/promotions/{id}",
  operationId: "getPromotion",
  summary: "Get a promotion",
  tags,
  permission: "templates:read",
  params: one,
  responses: {
    200: { schema: promotionSchema, description: "What it moves, its gates and what was decided" },
  },
  handler: async (ctx, { params }) => ({ status: 200, body: await getPromotion(ctx, params) }),
});

export const approvePromotionRoute = defineRoute({
  method: "POST",
  path: "/v1/promotions/{id}/approve",
  operationId: "approvePromotion",
  summary: "Approve a promotion",
  description:
    "Once per person; of an API key that is the member who made it. Never by who requested the promotion (403). The last approval deploys an automatic promotion whose other gates have passed, in the same moment. 409 promotion_conflict: the stage has changed since the request, and the approval is not kept.",
  tags,
  permission: "promotions:approve",
  params: one,
  body: promotionDecisionSchema.optional(),
  responses: { 200: { schema: promotionSchema, description: "The promotion as it is now" } },
  handler: async (ctx, { params, body }) => ({
    status: 200,
    body: await approvePromotion(ctx, { ...body, id: params.id }),
  }),
});

export const rejectPromotionRoute = defineRoute({
  method: "POST",
  path: "/v1/promotions/{id}/reject",
  operationId: "rejectPromotion",
  summary: "Reject or withdraw a promotion",
  description:
    "One person's word ends it. Who requested it withdraws it so, for which promotions:request is enough.",
  tags,
  permission: "promotions:approve",
  params: one,
  body: promotionDecisionSchema.optional(),
  responses: { 200: { schema: promotionSchema, description: "The promotion, rejected" } },
  handler: async (ctx, { params, body }) => ({
    status: 200,
    body: await rejectPromotion(ctx, { ...body, id: params.id }),
  }),
});

export const deployPromotionRoute = defineRoute({
  method: "POST",
  path: "/v1/promotions/{id}/deploy",
  operationId: "deployPromotion",
  summary: "Deploy a promotion",
  description:
    "For one that is not automatic, or whose last gate passed after the approvals. 409 while a gate has not passed; `gates` says which. Who requested it needs promotions:request only.",
  tags,
  permission: "promotions:approve",
  params: one,
  responses: { 200: { schema: promotionSchema, description: "The promotion, deployed" } },
  handler: async (ctx, { params }) => ({ status: 200, body: await deployPromotion(ctx, params) }),
});

export const rollBackPromotionRoute = defineRoute({
  method: "POST",
  path: "/v1/promotions/{id}/rollback",
  operationId: "rollBackPromotion",
  summary: "Roll a promotion back",
  description:
    "Puts back exactly the versions that it replaced, all in one moment; what was not live before is taken out of the stage again. 409 promotion_conflict when something later has moved one of them: `conflicts` names it. With `force` these are put back as well.",
  tags,
  permission: "promotions:approve",
  params: one,
  body: promotionRollbackSchema.optional(),
  responses: { 200: { schema: promotionSchema, description: "The promotion, rolled back" } },
  handler: async (ctx, { params, body }) => ({
    status: 200,
    body: await rollBackPromotion(ctx, { force: false, ...body, id: params.id }),
  }),
});
