import { z } from "zod";
import { defineRoute } from "../rest/define-route.ts";
import { exportFiles } from "./export-files.ts";
import { listImports } from "./list-imports.ts";
import { planImport } from "./plan-import.ts";
import { getImport } from "./present-import.ts";
import {
  filesPageSchema,
  filesQuerySchema,
  importListSchema,
  importPlanSchema,
  importSchema,
} from "./schemas.ts";
import { cancelImport, startImport } from "./start-import.ts";

const one = z.object({ id: z.uuid().meta({ description: "The import" }) });
const tags: [string] = ["Template files"];

export const exportFilesRoute = defineRoute({
  method: "GET",
  path: "/v1/template-files",
  operationId: "exportTemplateFiles",
  summary: "Get an application's templates as files",
  description:
    "One folder a template: `order-shipped/email.lang-de/` with `template.json`, `subject.txt`, `body.html` (or `body.mjml`, `body.txt`) and `text.txt`. Equal templates are equal bytes, so they can live in version control. `npm run templates -- pull` writes them to a folder.",
  tags,
  permission: "templates:read",
  query: filesQuerySchema,
  responses: { 200: { schema: filesPageSchema, description: "The files of one page of templates" } },
  handler: async (ctx, { query }) => ({ status: 200, body: await exportFiles(ctx, query) }),
});

export const planImportRoute = defineRoute({
  method: "POST",
  path: "/v1/template-imports",
  operationId: "planTemplateImport",
  summary: "Plan an import of template files",
  description:
    "Says of each folder whether it would create a template, make a new version, change nothing, or is not valid. Saves nothing but the plan; start it with `POST /v1/template-imports/{id}/start`. More files are added by another call with `importId`; all files of one template go in the same call. Templates that have no folder stay as they are.",
  tags,
  permission: "templates:write",
  body: importPlanSchema,
  responses: { 201: { schema: importSchema, description: "The plan so far" } },
  handler: async (ctx, { body }) => ({ status: 201, body: await planImport(ctx, body) }),
});

export const listImportsRoute = defineRoute({
  method: "GET",
  path: "/v1/template-imports",
  operationId: "listTemplateImports",
  summary: "List the newest imports",
  tags,
  permission: "templates:read",
  responses: { 200: { schema: importListSchema, description: "At most 20, without their templates" } },
  handler: async (ctx) => ({ status: 200, body: await listImports(ctx) }),
});

export const getImportRoute = defineRoute({
  method: "GET",
  path: "/v1/template-imports/{id}",
  operationId: "getTemplateImport",
  summary: "Get an import and how far it has come",
  tags,
  permission: "templates:read",
  params: one,
  responses: { 200: { schema: importSchema, description: "The import with each of its templates" } },
  handler: async (ctx, { params }) => ({ status: 200, body: await getImport(ctx, params) }),
});

export const startImportRoute = defineRoute({
  method: "POST",
  path: "/v1/template-imports/{id}/start",
  operationId: "startTemplateImport",
  summary: "Carry a planned import out",
  description:
    "In the background: each template is checked, moderated and saved as by hand; one that fails does not stop the others.",
  tags,
  permission: "templates:write",
  params: one,
  responses: { 202: { schema: importSchema, description: "Running" } },
  handler: async (ctx, { params }) => ({ status: 202, body: await startImport(ctx, params) }),
});

export const cancelImportRoute = defineRoute({
  method: "POST",
  path: "/v1/template-imports/{id}/cancel",
  operationId: "cancelTemplateImport",
  summary: "End an import early",
  description: "What is saved stays; the rest is left as it was.",
  tags,
  permission: "templates:write",
  params: one,
  responses: { 200: { schema: importSchema, description: "Canceled" } },
  handler: async (ctx, { params }) => ({ status: 200, body: await cancelImport(ctx, params) }),
});
