/** Templates, for REST, tRPC and forms. Safe in the browser. */
import { z } from "zod";
import { adapterNameSchema } from "../adapters/schemas.ts";
import { channelSchema } from "../kernel/channel.ts";
import { moderationResultSchema } from "../content-checks/schemas.ts";
import { pageOf, pageQuery } from "../kernel/page.ts";
import {
  emailMetadataSchema,
  smsMetadataSchema,
  whatsappApprovalStatuses,
  whatsappMetadataSchema,
} from "../template-language/metadata.ts";
import { isVariableName, valueProblem, variableTypes } from "../template-language/variables.ts";

export { metadataSchemas } from "../template-language/metadata.ts";

export const templateLimits = {
  /** Bytes of UTF-8. */
  bodyBytes: 256 * 1024,
  subjectCharacters: 998,
  variables: 100,
} as const;

/** Who wrote a version. */
const provenanceKinds = ["human", "ai_drafted", "ai_edited"] as const;
export type ProvenanceKind = (typeof provenanceKinds)[number];

const provenanceInputSchema = z
  .strictObject({
    kind: z.enum(provenanceKinds),
    model: z
      .string()
      .min(1)
      .max(200)
      .regex(/^\P{Cc}*$/u, "No control characters")
      .nullish()
      .meta({ description: "The model that wrote or changed it" }),
  })
  .meta({
    description:
      "Who wrote this version: people, or AI with or without changes by people. Default: a person, or AI for an agent's key. A version based on an unreviewed AI version counts as edited by AI",
  });

/** Who wrote a version, and who has reviewed it. */
const provenanceFacts = {
  provenance: z.object({
    kind: z.enum(provenanceKinds).meta({
      description: "ai_edited: AI changed a person's text, or a person one of AI",
    }),
    model: z.string().nullable(),
  }),
  review: z
    .object({ by: z.string(), at: z.iso.datetime() })
    .nullable()
    .meta({ description: "Review of AI content by a person; null: none, or not needed" }),
};

const byteLength = (text: string) => new TextEncoder().encode(text).length;
const wireName = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/, "Letters, digits, dots, hyphens and underscores");
const typeName = z.string().min(1).max(128);
const region = z.string().regex(/^[A-Z]{2}$/, "Two upper-case letters, e.g. DE");
const language = z.string().regex(/^[a-z]{2}$/, "Two lower-case letters, e.g. en");
const providers: readonly string[] = adapterNameSchema.options;
const provider = z
  .string()
  .max(64)
  .refine((name) => providers.includes(name), {
    error: `There is no such provider; one of ${providers.join(", ")}`,
    params: { code: "unknown_provider" },
  })
  .meta({
    description: `Adapter that the text is for, one of ${providers.join(", ")}; empty: any`,
    example: "twilio",
  });

export const variableDeclarationSchema = z
  .strictObject({
    name: z
      .string()
      .refine(isVariableName, "A letter, then letters, digits and underscores; no word of Liquid"),
    type: z.enum(variableTypes).default("string"),
    required: z.boolean().default(true),
    example: z
      .string()
      .max(4_096)
      .optional()
      .meta({ description: "For previews and the trial render of each save" }),
    maxLength: z.int().min(1).max(4_096).optional().meta({ description: "In characters" }),
    values: z
      .array(z.string().min(1).max(256))
      .min(1)
      .max(100)
      .optional()
      .meta({ description: "What an enum may be" }),
  })
  .superRefine((declaration, check) => {
    if ((declaration.type === "enum") !== (declaration.values !== undefined)) {
      const message = declaration.type === "enum" ? "An enum needs its values." : "Only an enum has values.";
      check.addIssue({ code: "custom", path: ["values"], message });
    } else if (declaration.example !== undefined) {
      const problem = valueProblem(declaration, declaration.example);
      if (problem !== null) check.addIssue({ code: "custom", path: ["example"], message: problem });
    }
  });

const metadataSchema = z.union([smsMetadataSchema, emailMetadataSchema, whatsappMetadataSchema]).meta({
  description: "What belongs to the channel: of sms, of email or of whatsapp",
});

/** Subject, text and everything else in a version. */
export const templateContentSchema = z.object({
  subject: z
    .string()
    .min(1)
    .max(templateLimits.subjectCharacters)
    .regex(/^\P{Cc}*$/u, "Line breaks and control characters are not allowed in a subject")
    .nullish()
    .meta({ description: "E-mail only (Liquid)", example: "Your order {{ order }} is on its way" }),
  body: z
    .string()
    .refine((text) => text.trim() !== "", "The text is empty")
    .refine((text) => byteLength(text) <= templateLimits.bodyBytes, "At most 256 KiB of UTF-8")
    .meta({
      description: "The text in Liquid; HTML or, with metadata.format, MJML for e-mail, plain for the others",
      example: "Hello {{ name }}, your order {{ order }} is on its way.",
    }),
  metadata: metadataSchema.default({}),
  variables: z
    .array(variableDeclarationSchema)
    .max(templateLimits.variables)
    .default([])
    .superRefine((variables, check) => {
      const seen = new Set<string>();
      variables.forEach(({ name }, index) => {
        if (seen.has(name))
          check.addIssue({ code: "custom", path: [index, "name"], message: "Declared twice" });
        seen.add(name);
      });
    })
    .meta({ description: "Every variable that the texts use" }),
  note: z.string().max(1_000).nullish().meta({ description: "What this version changes" }),
  provenance: provenanceInputSchema.optional(),
});

/** The audience of a template; fixed once it exists. */
const audience = {
  application: wireName.meta({ example: "webshop" }),
  name: wireName.meta({ description: "What requests call it", example: "order-shipped" }),
  notificationType: typeName.meta({ example: "order" }),
  notificationSubtype: typeName.meta({ example: "shipped" }),
  channel: channelSchema,
  region: region.nullish().meta({ description: "Empty: any", example: "DE" }),
  language: language.nullish().meta({ description: "Empty: any", example: "en" }),
  provider: provider.nullish(),
};

/** Body of POST /v1/templates. */
export const templateCreateSchema = z.strictObject(audience).extend({
  application: audience.application.optional().meta({
    description: "May be left out by a caller who may write in one application only",
    example: "webshop",
  }),
  ...templateContentSchema.shape,
});
export type TemplateCreate = z.output<typeof templateCreateSchema>;

/** Body of PUT /v1/templates/{id}: the new content. The audience may be repeated, not changed. */
export const templateUpdateSchema = z
  .strictObject(audience)
  .partial()
  .extend(templateContentSchema.shape)
  .extend({
    expectedVersion: z.int().min(1).optional().meta({
      description: "The version this one is based on. A newer version in between is a conflict",
    }),
  });
export type TemplateUpdate = z.output<typeof templateUpdateSchema>;

/** Where a copy goes; what is left out stays as it is. null: any. */
export const templateDuplicateSchema = z
  .object(audience)
  .partial()
  .extend({
    id: z.uuid(),
    /** Default: the latest. */
    version: z.int().min(1).optional(),
    /** E-mail made from another channel needs one. */
    subject: templateContentSchema.shape.subject,
    note: templateContentSchema.shape.note,
  });
export type TemplateDuplicate = z.output<typeof templateDuplicateSchema>;

/** One entry of a template's history. */
export const templateVersionSummarySchema = z.object({
  version: z.int(),
  author: z.string(),
  note: z.string().nullable(),
  checkedBy: z.array(z.string()),
  findings: z.int().meta({ description: "Number of moderation findings" }),
  ...provenanceFacts,
  createdAt: z.iso.datetime(),
});

export const templateDeploymentSchema = z.object({
  environmentId: z.uuid(),
  environment: z.string().meta({ description: "Its short name", example: "production" }),
  version: z.int(),
  disabled: z.boolean().meta({ description: "Switched off by the kill switch" }),
  disabledAt: z.iso.datetime().nullable(),
  disabledBy: z.string().nullable(),
  disabledReason: z.string().nullable(),
  deployedAt: z.iso.datetime(),
});
export type TemplateDeployment = z.output<typeof templateDeploymentSchema>;

/** A template in lists: its audience, its history and where it is live. */
export const templateSummarySchema = z.object({
  id: z.uuid(),
  application: z.string(),
  applicationId: z.uuid(),
  name: z.string(),
  notificationType: z.string(),
  notificationSubtype: z.string(),
  channel: channelSchema,
  region: z.string().nullable(),
  language: z.string().nullable(),
  provider: z.string().nullable(),
  latestVersion: z.int(),
  versions: z.array(templateVersionSummarySchema).meta({ description: "Newest first, at most 100" }),
  deployments: z.array(templateDeploymentSchema),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  archivedAt: z.iso.datetime().nullable(),
});
export type TemplateSummary = z.output<typeof templateSummarySchema>;

const templateCategory = z.enum(["marketing", "utility", "authentication"]);

/** The approval of the WhatsApp template that a version names. */
const approvalFacts = {
  status: z.enum(whatsappApprovalStatuses),
  reason: z.string().nullable().meta({ description: "Why it was rejected or paused" }),
  source: z
    .enum(["provider", "manual"])
    .meta({ description: "Whether the provider reported it or a person entered it" }),
  checkedAt: z.iso.datetime().nullable().meta({ description: "When the provider was last asked" }),
  category: templateCategory.nullable().meta({
    description:
      "WhatsApp's category; null if unknown. For marketing, consent for marketing is required, whatever the class of the type",
  }),
  nextCategory: templateCategory.nullable().meta({ description: "The category announced by WhatsApp" }),
  nextCategoryAt: z.iso.datetime().nullable().meta({ description: "From when" }),
};

/** A decision of WhatsApp about a category. */
export const categoryChangeSchema = z.object({
  id: z.uuid(),
  templateName: z.string(),
  language: z.string(),
  previous: templateCategory.nullable().meta({ description: "Null: none was known" }),
  category: templateCategory,
  effectiveAt: z.iso.datetime().meta({ description: "Later than `at` when it was announced" }),
  at: z.iso.datetime(),
});
export type CategoryChange = z.output<typeof categoryChangeSchema>;

/** An approval with its template, and who last changed it. */
export const whatsappApprovalSchema = z.object({
  templateName: z.string().meta({ description: "Name or content id at the provider" }),
  language: z.string().meta({ description: "Empty when the version names none" }),
  ...approvalFacts,
  updatedBy: z.string(),
  updatedAt: z.iso.datetime(),
});
export type WhatsappApproval = z.output<typeof whatsappApprovalSchema>;

const approvalReference = {
  templateName: z.string().min(1).max(512),
  language: z.string().max(16).default(""),
};
export const whatsappApprovalCheckSchema = z.object(approvalReference);
export const whatsappApprovalSetSchema = z.object({
  ...approvalReference,
  status: z.enum(whatsappApprovalStatuses),
  reason: z
    .string()
    .max(1_000)
    .regex(/^\P{Cc}*$/u, "Line breaks and control characters are not allowed")
    .optional(),
});
export type WhatsappApprovalSet = z.output<typeof whatsappApprovalSetSchema>;

/** A template with the content of one version. */
export const templateSchema = templateSummarySchema.extend({
  version: z.int().meta({ description: "Which version the content below is" }),
  subject: z.string().nullable(),
  body: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  variables: z.array(
    z.object({
      name: z.string(),
      type: z.enum(variableTypes),
      required: z.boolean(),
      example: z.string().optional(),
      maxLength: z.int().optional(),
      values: z.array(z.string()).optional(),
    }),
  ),
  note: z.string().nullable(),
  moderation: moderationResultSchema,
  ...provenanceFacts,
  whatsappApproval: z.object(approvalFacts).nullable().meta({
    description: "Of the approved WhatsApp template that this version names; null when it names none",
  }),
  may: z
    .object({ review: z.boolean().meta({ description: "Mark this version as reviewed" }) })
    .meta({ description: "What the caller can do with it" }),
});
export type Template = z.output<typeof templateSchema>;

/** Free text over templates. */
export const templateSearchSchema = z
  .string()
  .trim()
  .max(200)
  .regex(/^\P{Cc}*$/u, "No control characters")
  .meta({
    description:
      "Words that must all occur in the name, the type, the audience, or the subject and text of the latest version",
    example: "shipped de",
  });

/** Query of GET /v1/templates. */
export const templateListQuerySchema = z.object({
  application: wireName.optional(),
  channel: channelSchema.optional(),
  name: wireName.optional(),
  notificationType: typeName.optional(),
  search: templateSearchSchema.optional(),
  archived: z
    .enum(["true", "false"])
    .optional()
    .meta({ description: "true: the archived ones, and only those" }),
  ...pageQuery,
});

/** The same as the portal asks it. */
export const templateListInputSchema = templateListQuerySchema.extend({
  /** Only those that are in use in this environment: live and not switched off. */
  liveIn: z.uuid().optional(),
});
export type TemplateListInput = z.output<typeof templateListInputSchema>;

export const templateListSchema = pageOf(templateSummarySchema);

/** Body of POST /v1/templates/{id}/deployments. */
export const templateDeploySchema = z.strictObject({
  environment: z.string().min(1).max(64).optional().meta({
    description:
      "Short name or id of the first stage's environment or of the sandbox; the API key's own without it",
    example: "staging",
  }),
  version: z.int().min(1).optional().meta({ description: "Default: the latest" }),
});

export const templateDeployResultSchema = templateDeploymentSchema.extend({
  templateId: z.uuid(),
  previousVersion: z.int().nullable().meta({ description: "What was live before" }),
});
export type TemplateDeployResult = z.output<typeof templateDeployResultSchema>;

/** A version that a person has read and found right. */
export const templateReviewSchema = z.object({ version: z.int().min(1) });

/** Body of PUT /v1/templates/{id}/kill-switch. */
export const killSwitchSchema = z.strictObject({
  environment: z.string().min(1).max(64).meta({
    description: "Short name or id of an environment",
    example: "production",
  }),
  disabled: z.boolean().meta({ description: "true: switched off immediately" }),
  reason: z
    .string()
    .trim()
    .max(500)
    .regex(/^\P{Cc}*$/u, "No control characters")
    .optional()
    .meta({
      description: "Reason, shown with the switch and kept in the audit trail",
      example: "Wrong price in it",
    }),
});
export type KillSwitch = z.output<typeof killSwitchSchema>;

export const killSwitchResultSchema = templateDeploymentSchema.extend({ templateId: z.uuid() });
export type KillSwitchResult = z.output<typeof killSwitchResultSchema>;

const previewSettings = {
  values: z.record(z.string().max(128), z.string().max(4_096)).optional(),
  language: language.optional(),
  region: region.optional(),
  environmentId: z
    .uuid()
    .optional()
    .meta({ description: "Environment for the cost estimate. Default: the application's first stage" }),
};

/** A preview of a stored version, or of texts that are not saved yet. */
export const templatePreviewInputSchema = z.union([
  z.object({ templateId: z.uuid(), version: z.int().min(1).optional(), ...previewSettings }),
  templateContentSchema.omit({ note: true, provenance: true }).extend({
    channel: channelSchema,
    ...previewSettings,
    // What the text is for: without the application no cost can be estimated.
    application: wireName.optional(),
    notificationType: typeName.optional(),
    notificationSubtype: typeName.optional(),
  }),
]);
export type TemplatePreviewInput = z.output<typeof templatePreviewInputSchema>;

/** Something wrong in a template's texts; line and column from 1. */
export interface PreviewProblem {
  pointer: string;
  code: string;
  detail: string;
  line: number | null;
  column: number | null;
}
