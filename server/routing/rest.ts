import { z } from "zod";
import { defineRoute } from "../rest/define-route.ts";
import { createRule } from "./create-rule.ts";
import { deleteRule } from "./delete-rule.ts";
import { dryRun } from "./dry-run.ts";
import { getRule } from "./get-rule.ts";
import { listRevisions } from "./list-revisions.ts";
import { listRules } from "./list-rules.ts";
import { replaceRules } from "./replace-rules.ts";
import { revertRules } from "./revert-rules.ts";
import {
  dryRunResultSchema,
  dryRunSchema,
  revertSchema,
  revertedSchema,
  revisionListQuerySchema,
  revisionListSchema,
  ruleChangeSchema,
  ruleListSchema,
  ruleSetSchema,
  savedRuleSchema,
} from "./schemas.ts";
import { updateRule } from "./update-rule.ts";

const one = z.object({ id: z.uuid().meta({ description: "The rule" }) });
const tags: [string] = ["Routing"];
const inForce = "In force within two seconds. Every change is a revision that can be gone back to.";

export const listRoutingRulesRoute = defineRoute({
  method: "GET",
  path: "/v1/routing-rules",
  operationId: "listRoutingRules",
  summary: "List the routing rules of the API key's environment",
  description:
    "All rules that concern the caller, in the order in which they win: the more specific first, then the lower priority number.",
  tags,
  permission: "providers:read",
  responses: { 200: { schema: ruleListSchema, description: "The rules and their revision" } },
  handler: async (ctx) => ({ status: 200, body: await listRules(ctx, { environmentId: ctx.environmentId }) }),
});

export const createRoutingRuleRoute = defineRoute({
  method: "POST",
  path: "/v1/routing-rules",
  operationId: "createRoutingRule",
  summary: "Add a routing rule",
  description: inForce,
  tags,
  permission: "routing:manage",
  body: ruleChangeSchema,
  responses: { 201: { schema: savedRuleSchema, description: "The rule" } },
  handler: async (ctx, { body }) => {
    const rule = await createRule(ctx, { ...body, environmentId: ctx.environmentId });
    return { status: 201, body: rule, headers: { Location: `/v1/routing-rules/${rule.id}` } };
  },
});

export const replaceRoutingRulesRoute = defineRoute({
  method: "PUT",
  path: "/v1/routing-rules",
  operationId: "replaceRoutingRules",
  summary: "Replace the routing rules",
  description: `The whole set that the caller may manage, based on a revision; rules that are not the caller's to manage stay. ${inForce}`,
  tags,
  permission: "routing:manage",
  body: ruleSetSchema,
  responses: { 200: { schema: ruleListSchema, description: "The rules and their revision now" } },
  handler: async (ctx, { body }) => ({
    status: 200,
    body: await replaceRules(ctx, { ...body, environmentId: ctx.environmentId }),
  }),
});

export const getRoutingRuleRoute = defineRoute({
  method: "GET",
  path: "/v1/routing-rules/{id}",
  operationId: "getRoutingRule",
  summary: "Get a routing rule",
  tags,
  permission: "providers:read",
  params: one,
  responses: { 200: { schema: savedRuleSchema, description: "The rule" } },
  handler: async (ctx, { params }) => ({
    status: 200,
    body: await getRule(ctx, { ...params, environmentId: ctx.environmentId }),
  }),
});

export const updateRoutingRuleRoute = defineRoute({
  method: "PUT",
  path: "/v1/routing-rules/{id}",
  operationId: "updateRoutingRule",
  summary: "Change a routing rule",
  description: `Replaces the rule by what is given; what is left out takes its default. ${inForce}`,
  tags,
  permission: "routing:manage",
  params: one,
  body: ruleChangeSchema,
  responses: { 200: { schema: savedRuleSchema, description: "The rule as it is now" } },
  handler: async (ctx, { params, body }) => ({
    status: 200,
    body: await updateRule(ctx, { ...body, ...params, environmentId: ctx.environmentId }),
  }),
});

export const deleteRoutingRuleRoute = defineRoute({
  method: "DELETE",
  path: "/v1/routing-rules/{id}",
  operationId: "deleteRoutingRule",
  summary: "Delete a routing rule",
  description: inForce,
  tags,
  permission: "routing:manage",
  params: one,
  responses: { 204: { description: "It is gone; an earlier revision brings it back" } },
  handler: async (ctx, { params }) => {
    await deleteRule(ctx, { ...params, environmentId: ctx.environmentId });
    return { status: 204 };
  },
});

export const listRoutingRevisionsRoute = defineRoute({
  method: "GET",
  path: "/v1/routing-rules/revisions",
  operationId: "listRoutingRevisions",
  summary: "List the history of the routing rules",
  tags,
  permission: "providers:read",
  query: revisionListQuerySchema,
  responses: { 200: { schema: revisionListSchema, description: "One page, newest first" } },
  handler: async (ctx, { query }) => ({
    status: 200,
    body: await listRevisions(ctx, { ...query, environmentId: ctx.environmentId }),
  }),
});

export const revertRoutingRulesRoute = defineRoute({
  method: "POST",
  path: "/v1/routing-rules/revisions/{number}/revert",
  operationId: "revertRoutingRules",
  summary: "Go back to an earlier revision",
  description: `Brings back the rules that the caller may manage, as a new revision. Connections that are gone or no longer allowed are refused with 409, which lists them as missing, unless dropMissing leaves them out. ${inForce}`,
  tags,
  permission: "routing:manage",
  params: z.object({ number: z.coerce.number().int().min(0).max(2_147_483_647) }),
  body: revertSchema,
  responses: { 200: { schema: revertedSchema, description: "The rules and their revision now" } },
  handler: async (ctx, { params, body }) => ({
    status: 200,
    body: await revertRules(ctx, { ...body, ...params, environmentId: ctx.environmentId }),
  }),
});

export const dryRunRoutingRoute = defineRoute({
  method: "POST",
  path: "/v1/routing-rules/dry-run",
  operationId: "dryRunRouting",
  summary: "Try how a message would be routed",
  description:
    "By the rules in force or by others that are not saved: which rule decides, which connections are asked in which order, and why each of the others is not. Sends nothing.",
  tags,
  permission: "providers:read",
  body: dryRunSchema,
  responses: { 200: { schema: dryRunResultSchema, description: "The route" } },
  handler: async (ctx, { body }) => ({
    status: 200,
    body: await dryRun(ctx, { ...body, environmentId: ctx.environmentId }),
  }),
});
