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
        "One folder per template: `order-shipped/email.lang-de/` with `template.json`, `subject.txt`, `body.html` (or `body.mjml`, `body.txt`) and `text.txt`. Files are deterministic, so they work well in version control. `npm run templates -- pull` writes them to a folder.",
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
      idempotencyKey: true,
      errors: ["agent_limit", "not_found"],
      summary: "Plan an import of template files",
      description:
        "Shows for each folder whether it would create a template, create a version, change nothing, or is invalid. Only the plan is saved; start it with `POST /v1/template-imports/{id}/start`. Add more files to an import of your own in another call with `importId`; send all files of one template in the same call. Templates without a folder are not changed.",
      tag,
      body: importPlanSchema,
      answer: { status: 201, schema: importSchema, description: "The plan" },
    },
  }),
  start: mutation({
    permission: write,
    input: one.extend({ lastPosition: z.int().optional() }),
    run: startImport,
    rest: {
      method: "POST",
      path: "/v1/template-imports/{id}/start",
      operationId: "startTemplateImport",
      errors: ["agent_limit"],
      summary: "Start a planned import",
      description:
        "In the background, each template is checked, moderated and saved. One that fails does not stop the others. Only the key that planned it can start it; in the portal, others can as well.",
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
      description: "Saved templates are kept. The rest is not changed.",
      tag,
      params: one,
      answer: { status: 200, schema: importSchema, description: "Canceled" },
    },
  }),
};
