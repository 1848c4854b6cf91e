import { z } from "zod";
import { mutation, query } from "../operations/operation.ts";
import { approvePromotion } from "./approve-promotion.ts";
import { createPromotion } from "./create-promotion.ts";
import { confirmPipelineChange, withdrawPipelineChange } from "./decide-pipeline-change.ts";
import { deployPromotion } from "./deploy-promotion.ts";
import { getBoard } from "./get-board.ts";
import { getPromotion } from "./get-promotion.ts";
import { listPipelines } from "./list-pipelines.ts";
import { listPromotions } from "./list-promotions.ts";
import { rejectPromotion } from "./reject-promotion.ts";
import { rollBackPromotion } from "./roll-back-promotion.ts";
import {
  boardQuerySchema,
  pipelineDecisionSchema,
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

const tag = "Promotions";
const read = "templates:read";
const managePipelines = "pipelines:manage";
const approve = "promotions:approve";
const application = z.string().min(1).max(128).meta({ description: "Name or id of the application" });
const proposal = z.object({ application, id: z.uuid().meta({ description: "The proposal" }) });
const one = z.object({ id: z.uuid().meta({ description: "The promotion" }) });

/** The stages of applications and their contents. */
export const pipelineOperations = {
  list: query({
    permission: read,
    run: listPipelines,
    rest: {
      method: "GET",
      path: "/v1/pipelines",
      operationId: "listPipelines",
      summary: "List pipelines",
      description:
        "The stages of each application in order, with their gates. Saved templates go live in the first stage automatically.",
      tag,
      answer: { status: 200, schema: pipelineListSchema, description: "One for each application, by name" },
    },
  }),
  board: query({ permission: read, input: boardQuerySchema, run: getBoard }),
  update: mutation({
    permission: managePipelines,
    input: pipelineUpdateSchema,
    run: updatePipeline,
    rest: {
      method: "PUT",
      path: "/v1/pipelines/{application}",
      operationId: "updatePipeline",
      errors: ["revision_conflict"],
      summary: "Change the stages and gates of a pipeline",
      description:
        "Replaces all stages. A change that loosens the pipeline (a lower gate, a stage removed or moved forward) returns 202 and waits in `proposal` until another person with pipelines:manage confirms it. Promotions in progress keep the gates from when they were requested. Each stage is a different environment, without the sandbox. A key can only change the stage of its own environment, and not which other stage is first (403 environment_mismatch). While a promotion between two stages is in progress, they must stay neighbours: otherwise 409, which lists the promotions. Versions live in a removed stage stay live there.",
      tag,
      params: z.object({ application }),
      body: pipelineUpdateSchema.omit({ application: true }),
      answer: {
        status: 200,
        schema: pipelineSchema,
        description: "The updated pipeline",
        alternative: {
          status: 202,
          description: "Unchanged: the change waits in `proposal` for a second person",
          when: (pipeline) => pipeline.proposal !== null,
        },
      },
    },
  }),
  /** A change that loosens a pipeline waits for a second person. */
  confirm: mutation({
    permission: managePipelines,
    input: pipelineDecisionSchema,
    run: confirmPipelineChange,
    rest: {
      method: "POST",
      path: "/v1/pipelines/{application}/proposal/{id}/confirm",
      operationId: "confirmPipelineChange",
      summary: "Confirm a change that loosens a pipeline",
      description:
        "Must be a different person than the proposer (403 otherwise). An API key counts as the member who created it. 409 if the pipeline has changed since.",
      tag,
      params: proposal,
      answer: { status: 200, schema: pipelineSchema, description: "The updated pipeline" },
    },
  }),
  withdraw: mutation({
    permission: managePipelines,
    input: pipelineDecisionSchema,
    run: withdrawPipelineChange,
    rest: {
      method: "DELETE",
      path: "/v1/pipelines/{application}/proposal/{id}",
      operationId: "withdrawPipelineChange",
      summary: "Withdraw a change that loosens a pipeline",
      tag,
      params: proposal,
      answer: { status: 200, schema: pipelineSchema, description: "The pipeline, unchanged" },
    },
  }),
};

/** Moves of versions from stage to stage. */
export const promotionOperations = {
  list: query({
    permission: read,
    input: promotionListQuerySchema,
    run: listPromotions,
    rest: {
      method: "GET",
      path: "/v1/promotions",
      operationId: "listPromotions",
      summary: "List promotions",
      description: "Promotions into the key's environment. Get a single promotion for its templates.",
      tag,
      query: promotionListQuerySchema,
      answer: { status: 200, schema: promotionListSchema, description: "One page, newest first" },
    },
  }),
  get: query({
    permission: read,
    input: one,
    run: getPromotion,
    rest: {
      method: "GET",
      path: "/v1/promotions/{id}",
      operationId: "getPromotion",
      summary: "Get a promotion",
      tag,
      params: one,
      answer: {
        status: 200,
        schema: promotionSchema,
        description: "Its templates, gates and decisions",
      },
    },
  }),
  create: mutation({
    permission: "promotions:request",
    input: promotionCreateSchema,
    run: createPromotion,
    rest: {
      method: "POST",
      path: "/v1/promotions",
      operationId: "createPromotion",
      idempotencyKey: true,
      errors: ["agent_limit"],
      summary: "Request a promotion",
      description:
        "Versions that are live in the stage before become live in the named stage: all of them in one moment, or none. The answer says what the gates of the stage wait for; when they wait for nothing, an automatic promotion is deployed already. The key must belong to the environment that is promoted into. 409 promotion_conflict: another promotion into the stage holds one of the templates; `conflicts` names them, the promotion and who requested it.",
      tag,
      body: promotionCreateSchema,
      answer: {
        status: 201,
        schema: promotionSchema,
        description: "The promotion",
        headers: ({ id }) => ({ Location: `/v1/promotions/${id}` }),
      },
    },
  }),
  approve: mutation({
    permission: approve,
    input: promotionDecisionSchema.extend(one.shape),
    run: approvePromotion,
    rest: {
      method: "POST",
      path: "/v1/promotions/{id}/approve",
      operationId: "approvePromotion",
      summary: "Approve a promotion",
      description:
        "Once per person, and not by the requester (403). An API key counts as the member who created it. The last approval deploys an automatic promotion if its other gates have passed; otherwise it is deployed when they have. 409 promotion_conflict: the stage has changed since the request, and the approval is not kept.",
      tag,
      params: one,
      body: promotionDecisionSchema.optional(),
      answer: { status: 200, schema: promotionSchema, description: "The updated promotion" },
    },
  }),
  /** The requester may withdraw it, too. */
  reject: mutation({
    permission: [approve, "promotions:request"],
    input: promotionDecisionSchema.extend(one.shape),
    run: rejectPromotion,
    rest: {
      method: "POST",
      path: "/v1/promotions/{id}/reject",
      operationId: "rejectPromotion",
      summary: "Reject or withdraw a promotion",
      description:
        "One rejection ends the promotion. The requester withdraws it this way with promotions:request: its state is then `withdrawn`.",
      tag,
      params: one,
      body: promotionDecisionSchema.optional(),
      answer: { status: 200, schema: promotionSchema, description: "The promotion, rejected or withdrawn" },
    },
  }),
  /** The requester may deploy it, too. */
  deploy: mutation({
    permission: [approve, "promotions:request"],
    input: one,
    run: deployPromotion,
    rest: {
      method: "POST",
      path: "/v1/promotions/{id}/deploy",
      operationId: "deployPromotion",
      errors: ["agent_limit"],
      summary: "Deploy a promotion",
      description:
        "For promotions that are not automatic, and for others whose last gate has just passed. 409 while a gate has not passed; see `gates`. The requester only needs promotions:request.",
      tag,
      params: one,
      answer: { status: 200, schema: promotionSchema, description: "The promotion, deployed" },
    },
  }),
  rollBack: mutation({
    permission: approve,
    input: promotionRollbackSchema.extend(one.shape),
    run: rollBackPromotion,
    rest: {
      method: "POST",
      path: "/v1/promotions/{id}/rollback",
      operationId: "rollBackPromotion",
      summary: "Roll back a promotion",
      description:
        "Restores exactly the versions it replaced, all at once. Templates that were not live before are removed from the stage. 409 promotion_conflict if one of them has changed since; see `conflicts`. With `force`, these are restored as well.",
      tag,
      params: one,
      body: promotionRollbackSchema.optional(),
      input: (_ctx, { params, body }) => ({ force: false, ...body, ...params }),
      answer: { status: 200, schema: promotionSchema, description: "The promotion, rolled back" },
    },
  }),
};
