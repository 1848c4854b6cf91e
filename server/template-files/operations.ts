import { z } from "zod";
import { mutation, query } from "../operations/operation.ts";
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
const tag = "Template files";
const read = "templates:read";
const write = "templates:write";

/** Templates as files. */
export const templateFileOperations = {
  export: query({
    permission: read,
    input: filesQuerySchema,
    run: exportFiles,
    rest: {
      method: "GET",
      path: "/v1/template-files",
      operationId: "exportTemplateFiles",
      errors: ["unknown_application"],
      summary: "Get an application's templates as files",
      description:
        "One folder a template: `order-shipped/email.lang-de/` with `template.json`, `subject.txt`, `body.html` (or `body.mjml`, `body.txt`) and `text.txt`. Equal templates are equal bytes, so they can live in version control. `npm run templates -- pull` writes them to a folder.",
      tag,
      query: filesQuerySchema,
      answer: { status: 200, schema: filesPageSchema, description: "The files of one page of templates" },
    },
  }),
  imports: query({
    permission: read,
    run: listImports,
    rest: {
      method: "GET",
      path: "/v1/template-imports",
      operationId: "listTemplateImports",
      summary: "List the newest imports",
      tag,
      answer: { status: 200, schema: importListSchema, description: "At most 20, without their templates" },
    },
  }),
  get: query({
    permission: read,
    input: one,
    run: getImport,
    rest: {
      method: "GET",
      path: "/v1/template-imports/{id}",
      operationId: "getTemplateImport",
      summary: "Get an import and its progress",
      tag,
      params: one,
      answer: { status: 200, schema: importSchema, description: "The import with each of its templates" },
    },
  }),
  plan: mutation({
    permission: write,
    input: importPlanSchema,
    run: planImport,
    rest: {
      method: "POST",
      path: "/v1/template-imports",
      operationId: "planTemplateImport",
      errors: ["not_found"],
      summary: "Plan an import of template files",
      description:
        "Says of each folder whether it would create a template, make a new version, change nothing, or is not valid. Saves nothing but the plan; start it with `POST /v1/template-imports/{id}/start`. More files are added by another call with `importId`; all files of one template go in the same call. Templates that have no folder stay as they are.",
      tag,
      body: importPlanSchema,
      answer: { status: 201, schema: importSchema, description: "The plan so far" },
    },
  }),
  start: mutation({
    permission: write,
    input: one,
    run: startImport,
    rest: {
      method: "POST",
      path: "/v1/template-imports/{id}/start",
      operationId: "startTemplateImport",
      summary: "Start a planned import",
      description:
        "In the background: each template is checked, moderated and saved as by hand; one that fails does not stop the others.",
      tag,
      params: one,
      answer: { status: 202, schema: importSchema, description: "Running" },
    },
  }),
  cancel: mutation({
    permission: write,
    input: one,
    run: cancelImport,
    rest: {
      method: "POST",
      path: "/v1/template-imports/{id}/cancel",
      operationId: "cancelTemplateImport",
      summary: "Cancel an import",
      description: "What is saved stays; the rest is left as it was.",
      tag,
      params: one,
      answer: { status: 200, schema: importSchema, description: "Canceled" },
    },
  }),
};
