import { z } from "zod";
import { providerHttp } from "../connections/provider-http.ts";
import { mutation, query } from "../operations/operation.ts";
import { archiveTemplate } from "./archive-template.ts";
import { checkWhatsappApproval } from "./check-whatsapp-approval.ts";
import { createTemplate } from "./create-template.ts";
import { deployTemplateVersion } from "./deploy-template-version.ts";
import { duplicateTemplate } from "./duplicate-template.ts";
import { getCoverage } from "./get-coverage.ts";
import { getTemplate } from "./get-template.ts";
import { templateCoverageQuerySchema, templateGroupQuerySchema } from "./library-schemas.ts";
import { listTemplateGroups } from "./list-template-groups.ts";
import { listTemplates } from "./list-templates.ts";
import { listWhatsappApprovals } from "./list-whatsapp-approvals.ts";
import { restoreTemplate } from "./restore-template.ts";
import {
  killSwitchResultSchema,
  killSwitchSchema,
  templateCreateSchema,
  templateDeployResultSchema,
  templateDeploySchema,
  templateDuplicateSchema,
  templateListInputSchema,
  templateListQuerySchema,
  templateListSchema,
  templateReviewSchema,
  templateSchema,
  templateUpdateSchema,
  whatsappApprovalCheckSchema,
  whatsappApprovalSetSchema,
} from "./schemas.ts";
import { reviewVersion } from "./review-version.ts";
import { setKillSwitch } from "./set-kill-switch.ts";
import { setWhatsappApproval } from "./set-whatsapp-approval.ts";
import { updateTemplate } from "./update-template.ts";

const one = z.object({ id: z.uuid().meta({ description: "The template" }) });
const ofOne = z.object({ templateId: z.uuid() });
const version = z.int().min(1).optional();
const tag = "Templates";
const read = { permission: "templates:read" } as const;
const write = { permission: "templates:write" } as const;

/** Templates, their versions and what is live where. */
export const templateOperations = {
  create: mutation({
    ...write,
    input: templateCreateSchema,
    run: createTemplate,
    rest: {
      method: "POST",
      path: "/v1/templates",
      operationId: "createTemplate",
      idempotencyKey: true,
      errors: ["agent_limit", "unknown_notification_type"],
      summary: "Create a template",
      description:
        "Version 1 is live immediately in the first stage of the application's pipeline and in the sandbox. Content is checked and moderated before it is saved.",
      tag,
      body: templateCreateSchema,
      answer: {
        status: 201,
        schema: templateSchema,
        description: "The template with its version 1",
        headers: (template) => ({ Location: `/v1/templates/${template.id}` }),
      },
    },
  }),
  list: query({
    ...read,
    input: templateListInputSchema,
    run: listTemplates,
    rest: {
      method: "GET",
      path: "/v1/templates",
      operationId: "listTemplates",
      summary: "List templates with their version history",
      description: "Excludes archived templates unless requested.",
      tag,
      query: templateListQuerySchema,
      answer: { status: 200, schema: templateListSchema, description: "One page, newest first" },
    },
  }),
  groups: query({ ...read, input: templateGroupQuerySchema, run: listTemplateGroups }),
  coverage: query({ ...read, input: templateCoverageQuerySchema, run: getCoverage }),
  get: query({
    ...read,
    input: one.extend({ version }),
    run: getTemplate,
    rest: {
      method: "GET",
      path: "/v1/templates/{id}",
      operationId: "getTemplate",
      summary: "Get a template",
      tag,
      params: one,
      query: z.object({
        version: z.coerce.number().int().min(1).optional().meta({ description: "Default: the latest" }),
      }),
      answer: {
        status: 200,
        schema: templateSchema,
        description: "The template with the content of one version",
      },
    },
  }),
  update: mutation({
    ...write,
    input: templateUpdateSchema.extend(one.shape),
    run: updateTemplate,
    rest: {
      method: "PUT",
      path: "/v1/templates/{id}",
      operationId: "updateTemplate",
      errors: ["agent_limit"],
      summary: "Update a template",
      description:
        "Creates the next version, which is live immediately in the first stage of the application's pipeline and in the sandbox. Without changes, no version is created and the current one is returned.",
      tag,
      params: one,
      body: templateUpdateSchema,
      answer: { status: 200, schema: templateSchema, description: "The template with its latest version" },
    },
  }),
  duplicate: mutation({ ...write, input: templateDuplicateSchema, run: duplicateTemplate }),
  restore: mutation({ ...write, input: one, run: restoreTemplate }),
  archive: mutation({
    ...write,
    input: one,
    run: archiveTemplate,
    rest: {
      method: "DELETE",
      path: "/v1/templates/{id}",
      operationId: "archiveTemplate",
      summary: "Archive a template",
      description:
        "It is not used any more, in any environment, from the next message on; its versions stay for the messages that were made from them. Its audience is free for another one. Refused while a promotion is about to move it; and to a key (403 environment_mismatch) when it is live in an environment that matters more than the key's own: production before the others, the sandbox last. Where it is live in a stage after the first this needs promotions:approve there as well.",
      tag,
      params: one,
      answer: { status: 204, description: "Archived" },
    },
  }),
  /** Into the first stage and the sandbox; later stages are reached by promotion. */
  deploy: mutation({
    ...write,
    input: ofOne.extend({ environment: z.string().min(1).max(64), version }),
    run: deployTemplateVersion,
    rest: {
      method: "POST",
      path: "/v1/templates/{id}/deployments",
      operationId: "deployTemplate",
      idempotencyKey: true,
      errors: ["agent_limit"],
      summary: "Make a version live in an environment",
      description:
        "Only in the first stage of the application's pipeline and in the sandbox. For later stages, use a promotion (POST /v1/promotions); otherwise the answer is 409.",
      tag,
      params: one,
      body: templateDeploySchema,
      input: ({ environmentId }, { params, body }) => ({
        templateId: params.id,
        environment: body.environment ?? environmentId,
        version: body.version,
      }),
      answer: { status: 201, schema: templateDeployResultSchema, description: "The live version" },
    },
  }),
  setKillSwitch: mutation({
    permission: "promotions:approve",
    input: killSwitchSchema.extend(one.shape),
    run: setKillSwitch,
    rest: {
      method: "PUT",
      path: "/v1/templates/{id}/kill-switch",
      operationId: "setKillSwitch",
      summary: "Switch a template off or on in an environment",
      description:
        "Takes effect immediately. While a template is switched off, no new message uses it in that environment, and waiting messages with it are not sent. The live version and promotions are not affected. 409 if the template is not live there.",
      tag,
      params: one,
      body: killSwitchSchema.extend({
        environment: killSwitchSchema.shape.environment.optional().meta({
          description: "Short name or id of an environment; the API key's own without it",
          example: "production",
        }),
      }),
      input: ({ environmentId }, { params, body }) => ({
        ...body,
        ...params,
        environment: body.environment ?? environmentId,
      }),
      answer: {
        status: 200,
        schema: killSwitchResultSchema,
        description: "The live version and the switch",
      },
    },
  }),
  review: mutation({
    permission: "promotions:approve",
    input: templateReviewSchema.extend(one.shape),
    run: reviewVersion,
  }),
  whatsappApprovals: query({ ...read, input: ofOne, run: listWhatsappApprovals }),
  setWhatsappApproval: mutation({
    ...write,
    input: whatsappApprovalSetSchema.extend(ofOne.shape),
    run: setWhatsappApproval,
  }),
  checkWhatsappApproval: mutation({
    ...write,
    input: whatsappApprovalCheckSchema.extend(ofOne.shape),
    run: (ctx, input) => checkWhatsappApproval(ctx, input, { http: providerHttp() }),
  }),
};
