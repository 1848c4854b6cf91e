import { z } from "zod";
import { defineRoute } from "../rest/define-route.ts";
import { archiveTemplate } from "./archive-template.ts";
import { createTemplate } from "./create-template.ts";
import { deployTemplateVersion } from "./deploy-template-version.ts";
import { getTemplate } from "./get-template.ts";
import { listTemplates } from "./list-templates.ts";
import {
  templateCreateSchema,
  templateDeployResultSchema,
  templateDeploySchema,
  templateListQuerySchema,
  templateListSchema,
  templateSchema,
  templateUpdateSchema,
} from "./schemas.ts";
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
    "It is not used any more, in any environment, from the next message on; its versions stay for the messages that were made from them. Its audience is free for another one. Refused while a promotion is about to move it.",
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
    "For a stage of the application's pipeline or the sandbox. Stages after the first need the permission promotions:approve.",
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
