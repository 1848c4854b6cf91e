import { z } from "zod";
import { mutation, query, restOnly } from "../operations/operation.ts";
import { createRule } from "./create-rule.ts";
import { deleteRule } from "./delete-rule.ts";
import { dryRun } from "./dry-run.ts";
import { getRule } from "./get-rule.ts";
import { listRevisions } from "./list-revisions.ts";
import { listRules } from "./list-rules.ts";
import { reorderRules } from "./reorder-rules.ts";
import { replaceRules } from "./replace-rules.ts";
import { revertRules } from "./revert-rules.ts";
import { routingMatrix } from "./routing-matrix.ts";
import { ruleChoices } from "./rule-choices.ts";
import {
  changeSchema,
  dryRunResultSchema,
  dryRunSchema,
  reorderSchema,
  revertSchema,
  revertedSchema,
  revisionListQuerySchema,
  revisionListSchema,
  routingMatrixQuerySchema,
  ruleChangeSchema,
  ruleListSchema,
  ruleSetSchema,
  savedRuleSchema,
  unroutableQuerySchema,
} from "./schemas.ts";
import { unroutable } from "./unroutable.ts";
import { updateRule } from "./update-rule.ts";

const environment = z.object({ environmentId: z.uuid() });
const rule = z.object({ id: z.uuid().meta({ description: "The rule" }) });
const one = environment.extend(rule.shape);
const tag = "Routing";
const read = "providers:read";
const manage = "routing:manage";
const inForce = "Takes effect within two seconds. Every change creates a revision you can revert to.";

/** Routing rules, their history and their effects. */
export const routingOperations = {
  rules: query({
    permission: read,
    input: environment,
    run: listRules,
    rest: {
      method: "GET",
      path: "/v1/routing-rules",
      operationId: "listRoutingRules",
      summary: "List the routing rules of the API key's environment",
      description:
        "All rules the caller can see, in order of precedence: more specific rules first, then the lower priority number.",
      tag,
      input: ({ environmentId }) => ({ environmentId }),
      answer: { status: 200, schema: ruleListSchema, description: "The rules and their revision" },
    },
  }),
  choices: query({ permission: read, input: environment, run: ruleChoices }),
  get: restOnly({
    permission: read,
    method: "GET",
    path: "/v1/routing-rules/{id}",
    operationId: "getRoutingRule",
    summary: "Get a routing rule",
    tag,
    params: rule,
    run: (ctx, { params }) => getRule(ctx, { ...params, environmentId: ctx.environmentId }),
    answer: { status: 200, schema: savedRuleSchema, description: "The rule" },
  }),
  create: mutation({
    permission: manage,
    input: ruleChangeSchema.extend(environment.shape),
    run: createRule,
    rest: {
      method: "POST",
      path: "/v1/routing-rules",
      operationId: "createRoutingRule",
      idempotencyKey: true,
      errors: ["conflict", "revision_conflict", "unknown_application"],
      summary: "Add a routing rule",
      description: inForce,
      tag,
      body: ruleChangeSchema,
      input: ({ environmentId }, { body }) => ({ ...body, environmentId }),
      answer: {
        status: 201,
        schema: savedRuleSchema,
        description: "The rule",
        headers: ({ id }) => ({ Location: `/v1/routing-rules/${id}` }),
      },
    },
  }),
  update: mutation({
    permission: manage,
    input: ruleChangeSchema.extend(one.shape),
    run: updateRule,
    rest: {
      method: "PUT",
      path: "/v1/routing-rules/{id}",
      operationId: "updateRoutingRule",
      errors: ["conflict", "revision_conflict", "unknown_application"],
      summary: "Change a routing rule",
      description: `Replaces the rule. Omitted members take their default. ${inForce}`,
      tag,
      params: rule,
      body: ruleChangeSchema,
      input: ({ environmentId }, { params, body }) => ({ ...body, ...params, environmentId }),
      answer: { status: 200, schema: savedRuleSchema, description: "The updated rule" },
    },
  }),
  delete: mutation({
    permission: manage,
    input: changeSchema.extend(one.shape),
    run: deleteRule,
    rest: {
      method: "DELETE",
      path: "/v1/routing-rules/{id}",
      operationId: "deleteRoutingRule",
      errors: ["revision_conflict"],
      summary: "Delete a routing rule",
      description: inForce,
      tag,
      params: rule,
      input: ({ environmentId }, { params }) => ({ ...params, environmentId }),
      answer: { status: 204, description: "Deleted. Revert to an earlier revision to restore it" },
    },
  }),
  reorder: mutation({
    permission: manage,
    input: reorderSchema.extend(environment.shape),
    run: reorderRules,
  }),
  replace: restOnly({
    permission: manage,
    method: "PUT",
    path: "/v1/routing-rules",
    operationId: "replaceRoutingRules",
    errors: ["conflict", "revision_conflict", "unknown_application", "not_found"],
    summary: "Replace the routing rules",
    description: `Replaces all rules the caller can manage, based on a revision. Other rules are kept. ${inForce}`,
    tag,
    body: ruleSetSchema,
    run: (ctx, { body }) => replaceRules(ctx, { ...body, environmentId: ctx.environmentId }),
    answer: { status: 200, schema: ruleListSchema, description: "The rules and their new revision" },
  }),
  revisions: query({
    permission: read,
    input: revisionListQuerySchema.extend(environment.shape),
    run: listRevisions,
    rest: {
      method: "GET",
      path: "/v1/routing-rules/revisions",
      operationId: "listRoutingRevisions",
      summary: "List the history of the routing rules",
      tag,
      query: revisionListQuerySchema,
      input: ({ environmentId }, parts) => ({ ...parts.query, environmentId }),
      answer: { status: 200, schema: revisionListSchema, description: "One page, newest first" },
    },
  }),
  revert: mutation({
    permission: manage,
    input: revertSchema.extend(environment.shape).extend({ number: z.int().min(0) }),
    run: revertRules,
    rest: {
      method: "POST",
      path: "/v1/routing-rules/revisions/{number}/revert",
      operationId: "revertRoutingRules",
      idempotencyKey: true,
      errors: ["conflict", "revision_conflict"],
      summary: "Revert to an earlier revision",
      description: `Restores the rules the caller can manage as a new revision. If connections no longer exist or are no longer allowed, the answer is 409 with the missing ones, unless dropMissing omits them. ${inForce}`,
      tag,
      params: z.object({ number: z.coerce.number().int().min(0).max(2_147_483_647) }),
      body: revertSchema,
      input: ({ environmentId }, { params, body }) => ({ ...body, ...params, environmentId }),
      answer: { status: 200, schema: revertedSchema, description: "The rules and their new revision" },
    },
  }),
  dryRun: query({
    permission: read,
    input: dryRunSchema.extend(environment.shape),
    run: dryRun,
    rest: {
      method: "POST",
      path: "/v1/routing-rules/dry-run",
      operationId: "dryRunRouting",
      errors: ["unknown_application", "unknown_notification_type"],
      summary: "Test how a message would be routed",
      description:
        "With the current rules or unsaved ones: which rule applies, which connections are used in which order, and why the others are not. Sends nothing.",
      tag,
      body: dryRunSchema,
      input: ({ environmentId }, { body }) => ({ ...body, environmentId }),
      answer: { status: 200, schema: dryRunResultSchema, description: "The route" },
    },
  }),
  matrix: query({ permission: read, input: routingMatrixQuerySchema, run: routingMatrix }),
  unroutable: query({ permission: read, input: unroutableQuerySchema, run: unroutable }),
};
