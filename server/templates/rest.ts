import { z } from "zod";
import { defineRoute } from "../rest/define-route.ts";
import { archiveTemplate } from "./archive-template.ts";
import { createTemplate } from "./create-template.ts";
import { deployTemplateVersion } from "./deploy-template-version.ts";
import { getTemplate } from "./get-template.ts";
import { listTemplates } from "./list-templates.ts";
import {
  killSwitchResultSchema,
  killSwitchSchema,
  templateCreateSchema,
  templateDeployResultSchema,
  templateDeploySchema,
  templateListQuerySchema,
  templateListSchema,
  templateSchema,
  templateUpdateSchema,
} from "./schemas.ts";
import { setKillSwitch } from "./set-kill-switch.ts";
import { updateTemplate } from "./update-template.ts";

const one = z.object({ id: z.uuid().meta({ description: "The template" }) });
const tags: [string] = ["Templates"];

export const createTemplateRoute = defineRoute({
  method: "POST",
  path: "/v1/templates",
  operationId: "createTemplate",
  summary: "Create a template",
  description:
    "Version 1 is live at once in the first stage of the application's pipeline and in the sandbox. Texts are checked and moderated before anything is saved.",
  tags,
  permission: "templates:write",
  body: templateCreateSchema,
  responses: { 201: { schema: templateSchema, description: "The template with its version 1" } },
  handler: async (ctx, { body }) => {
    const template = await createTemplate(ctx, body);
    return { status: 201, body: template, headers: { Location: `/v1/templates/${template.id}` } };
  },
});

export const listTemplatesRoute = defineRoute({
  method: "GET",
  path: "/v1/templates",
  operationId: "listTemplates",
  summary: "List templates with their version history",
  description: "Archived ones are left out, unless they are what is asked for.",
  tags,
  permission: "templates:read",
  query: templateListQuerySchema,
  responses: { 200: { schema: templateListSchema, description: "One page, newest first" } },
  handler: async (ctx, { query }) => ({ status: 200, body: await listTemplates(ctx, query) }),
});

export const getTemplateRoute = defineRoute({
  method: "GET",
  path: "/v1/templates/{id}",
  operationId: "getTemplate",
  summary: "Get a template",
  tags,
  permission: "templates:read",
  params: one,
  query: z.object({
    version: z.coerce.number().int().min(1).optional().meta({ description: "The latest without it" }),
  }),
  responses: { 200: { schema: templateSchema, description: "The template with the content of one version" } },
  handler: async (ctx, { params, query }) => ({
    status: 200,
    body: await getTemplate(ctx, { id: params.id, version: query.version }),
  }),
});

export const updateTemplateRoute = defineRoute({
  method: "PUT",
  path: "/v1/templates/{id}",
  operationId: "updateTemplate",
  summary: "Update a template",
  description:
    "Creates the next version; earlier ones stay as they are. It is live at once in the first stage of the application's pipeline and in the sandbox.",
  tags,
  permission: "templates:write",
  params: one,
  body: templateUpdateSchema,
  responses: { 200: { schema: templateSchema, description: "The template with its new version" } },
  handler: async (ctx, { params, body }) => ({
    status: 200,
    body: await updateTemplate(ctx, { ...body, id: params.id }),
  }),
});

export const archiveTemplateRoute = defineRoute({
  method: "DELETE",
  path: "/v1/templates/{id}",
  operationId: "archiveTemplate",
  summary: "Archive a template",
  description:
    "It is not used any more, in any environment, from the next message on; its versions stay for the messages that were made from them. Its audience is free for another one. Refused while a promotion is about to move it; and to a key (403 environment_mismatch) when it is live in an environment that matters more than the key's own: production before the others, the sandbox last. Where it is live in a stage after the first this needs promotions:approve there as well.",
  tags,
  permission: "templates:write",
  params: one,
  responses: { 204: { description: "It is archived" } },
  handler: async (ctx, { params }) => {
    await archiveTemplate(ctx, params);
    return { status: 204 };
  },
});

export const deployTemplateRoute = defineRoute({
  method: "POST",
  path: "/v1/templates/{id}/deployments",
  operationId: "deployTemplate",
  summary: "Make a version live in an environment",
  description:
    "Only where saving makes versions live as well: in the first stage of the application's pipeline and in the sandbox. Later stages are reached by promotion (POST /v1/promotions); for these the answer is 409.",
  tags,
  permission: "templates:write",
  params: one,
  body: templateDeploySchema,
  responses: { 201: { schema: templateDeployResultSchema, description: "What is live now" } },
  handler: async (ctx, { params, body }) => ({
    status: 201,
    body: await deployTemplateVersion(ctx, {
      templateId: params.id,
      environment: body.environment ?? ctx.environmentId,
      version: body.version,
    }),
  }),
});

export const setKillSwitchRoute = defineRoute({
  method: "PUT",
  path: "/v1/templates/{id}/kill-switch",
  operationId: "setKillSwitch",
  summary: "Switch a template off or on in an environment",
  description:
    "Works at once and outside promotions: while it is off, no new message uses the template in that environment, and messages that wait to be sent with it are not sent. Which version is live stays as it is, and a promotion leaves the switch alone. 409 when nothing of the template is live there.",
  tags,
  permission: "promotions:approve",
  params: one,
  body: killSwitchSchema.extend({
    environment: killSwitchSchema.shape.environment.optional().meta({
      description: "Short name or id of an environment; the API key's own without it",
      example: "production",
    }),
  }),
  responses: { 200: { schema: killSwitchResultSchema, description: "What is live there, and its switch" } },
  handler: async (ctx, { params, body }) => ({
    status: 200,
    body: await setKillSwitch(ctx, {
      ...body,
      id: params.id,
      environment: body.environment ?? ctx.environmentId,
    }),
  }),
});
