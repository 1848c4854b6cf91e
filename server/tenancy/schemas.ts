/** Inputs of the tenancy procedures. Browser-safe. */
import { z } from "zod";
import { channelSchema } from "../kernel/channel.ts";

export const environmentKindSchema = z.enum(["production", "nonproduction", "sandbox"]);
export type EnvironmentKind = z.infer<typeof environmentKindSchema>;

/** What a promotion into a stage of a pipeline must pass. */
export const gatesSchema = z.object({
  approvals: z.int().min(0).max(5).default(0).meta({
    description: "How many other people must approve; the requester never counts",
  }),
  moderation: z.boolean().default(true).meta({
    description:
      "Versions must have passed moderation; for production by the AI service, too, unless the organisation allows less",
  }),
  whatsappApproval: z.boolean().default(false).meta({
    description: "WhatsApp templates must be approved at the provider",
  }),
  whatsappCategory: z.boolean().default(false).meta({
    description:
      "WhatsApp must not count a template as marketing, nor have announced that, whose type is of another class",
  }),
  testSend: z.boolean().default(false).meta({ description: "Each version must have been sent in a test" }),
  humanReview: z.boolean().default(false).meta({
    description:
      "A version that AI drafted or edited must have been reviewed by a person who did not save it",
  }),
});
export type Gates = z.output<typeof gatesSchema>;

export const notificationClassSchema = z.enum(["authentication", "transactional", "service", "marketing"]);
export type NotificationClass = z.infer<typeof notificationClassSchema>;

/** opt_in_required: only with consent. opt_out: unless withdrawn. exempt: always. */
export const consentPolicySchema = z.enum(["opt_in_required", "opt_out", "exempt"]);
export type ConsentPolicy = z.infer<typeof consentPolicySchema>;

/** A tenant's override of the consent policy of a class. Empty fields match anything. */
export const consentPolicyOverrideSchema = z.object({
  class: notificationClassSchema,
  channel: channelSchema.optional(),
  region: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
  policy: consentPolicySchema,
});
export type ConsentPolicyOverride = z.output<typeof consentPolicyOverrideSchema>;

/** How a tenant uses the AI service. */
export const aiSettingsSchema = z.object({
  /** Off: texts are moderated only by the deterministic checks, and nothing is drafted. */
  enabled: z.boolean().default(true),
  /** Whether people may have texts drafted; moderation goes on without it. */
  drafting: z.boolean().default(true),
  /** The organisation's own rules for texts, in plain words; part of every policy check. */
  policy: z.string().trim().max(8_000).default(""),
  /** Tokens a calendar month (UTC) that drafting may use; null: unlimited. Moderation is counted, never refused. */
  monthlyTokens: z.int().min(0).max(1_000_000_000).nullable().default(null),
  /** Whether versions that only the deterministic checks saw may be promoted to production. */
  allowWithoutAi: z.boolean().default(false),
});
export type AiSettings = z.output<typeof aiSettingsSchema>;

/** The shortest and the longest that an organisation may keep something. */
export const retentionLimits = {
  /** A message may be planned 30 days ahead and tried for another 30, and its last receipt may come three days later. */
  contentDays: { min: 65, max: 730 },
  metadataMonths: { min: 3, max: 60 },
  /** A webhook is tried again for five days. */
  webhookLogDays: { min: 7, max: 365 },
} as const;

const period = ({ min, max }: { min: number; max: number }) => z.int().min(min).max(max);

/** How long an organisation keeps what. */
export const retentionSchema = z.object({
  /** Addresses and contents of messages. */
  contentDays: period(retentionLimits.contentDays).default(90),
  /** That there was a message, and what became of it: whole calendar months. */
  metadataMonths: period(retentionLimits.metadataMonths).default(13),
  webhookLogDays: period(retentionLimits.webhookLogDays).default(30),
});
export type Retention = z.output<typeof retentionSchema>;

const ownWords = z
  .array(z.string().trim())
  .max(50, { error: "At most 50 words" })
  .superRefine((words, issue) => {
    // Of the whole list, so that a form shows it where the list is typed.
    const wrong = (word: string, what: string) =>
      issue.addIssue({ code: "custom", message: `“${word}” ${what}` });
    for (const word of words) {
      if (word.length > 40) wrong(`${word.slice(0, 20)}…`, "is longer than 40 characters");
      else if (!/[\p{L}\p{N}]/u.test(word)) wrong(word, "has no letter or digit");
      else if (/\p{Cc}/u.test(word)) wrong(word.replaceAll(/\p{Cc}/gu, " "), "has a control character");
      else continue;
      break;
    }
  });

/** Words of an organisation's own by which recipients say no, yes or help. */
export const consentWordsSchema = z
  .object({ stop: ownWords.default([]), start: ownWords.default([]), help: ownWords.default([]) })
  .superRefine((words, issue) => {
    const seen = new Set<string>();
    for (const kind of ["stop", "start", "help"] as const) {
      for (const word of words[kind]) {
        const same = word.toLowerCase();
        if (seen.has(same))
          issue.addIssue({ code: "custom", path: [kind], message: `“${word}” is there twice` });
        seen.add(same);
      }
    }
  });
export type ConsentWords = z.output<typeof consentWordsSchema>;

const wordReplySchema = z.object({
  enabled: z.boolean().default(true),
  /** Null: the built-in text in the recipient's language. */
  text: z
    .string()
    .trim()
    .min(1)
    .max(320)
    .regex(/^\P{Cc}*$/u, { error: "Write it in one line" })
    .nullable()
    .default(null),
});

/** What is answered automatically when a recipient says no, yes or help. */
export const wordRepliesSchema = z.object({
  stop: wordReplySchema.prefault({}),
  start: wordReplySchema.prefault({}),
  help: wordReplySchema.prefault({}),
});
export type WordReplies = z.output<typeof wordRepliesSchema>;

/** A tenant's settings, each part with its default. */
export const tenantSettingsSchema = z.object({
  ai: aiSettingsSchema.prefault({}),
  consentPolicies: z.array(consentPolicyOverrideSchema).default([]),
  consentWords: consentWordsSchema.prefault({}),
  wordReplies: wordRepliesSchema.prefault({}),
  retention: retentionSchema.prefault({}),
  /** Regions besides its own in which its data may be processed. */
  allowedTransferRegions: z.array(z.string()).default([]),
});
export type TenantSettings = z.output<typeof tenantSettingsSchema>;

/** A name in URLs. */
export const slugSchema = z
  .string()
  .min(1)
  .max(40)
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, { error: "Lower-case letters, digits and hyphens" });

/** First parts of addresses that are no organisation's. */
const reservedSlugs: readonly string[] = [
  "api",
  "console",
  "docs",
  "forgot-password",
  "healthz",
  "invitation",
  "l",
  "readyz",
  "set-password",
  "set-up",
  "sign-in",
  "status",
  "v1",
];

/** The short name of a new organisation: its pages have addresses that begin with it. */
export const newSlugSchema = slugSchema.refine((slug) => !reservedSlugs.includes(slug), {
  error: "This name is taken by pages of the service",
});

/** A name for people: one line. */
export const titleSchema = z
  .string()
  .trim()
  .min(1)
  .max(120)
  .regex(/^\P{Cc}*$/u, { error: "Control characters are not allowed" });

/** A name that requests carry, e.g. "webshop". */
export const wireNameSchema = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/, {
    error: "Letters, digits, dots, hyphens and underscores",
  });

export const emailSchema = z
  .email()
  .max(254)
  .transform((email) => email.toLowerCase());

export const createUnitSchema = z.strictObject({ slug: slugSchema, name: titleSchema });
export type CreateUnitInput = z.infer<typeof createUnitSchema>;

export const createEnvironmentSchema = z.strictObject({
  slug: slugSchema,
  name: titleSchema,
  /** Each tenant has exactly one sandbox, from the start. */
  kind: z.enum(["production", "nonproduction"]),
});
export type CreateEnvironmentInput = z.infer<typeof createEnvironmentSchema>;

export const createApplicationSchema = z.strictObject({
  name: wireNameSchema,
  title: titleSchema,
  unitId: z.uuid(),
  defaultRegion: z.string().regex(/^[A-Z]{2}$/, { error: "Two capital letters, e.g. DE" }),
  defaultLanguage: z.string().regex(/^[a-z]{2}$/, { error: "Two small letters, e.g. de" }),
  /** The pipeline: non-sandbox environments, first stage first. */
  stages: z.array(z.uuid()).min(1, { error: "Choose at least one" }).max(10),
});
export type CreateApplicationInput = z.infer<typeof createApplicationSchema>;

const wireType = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[a-z][a-z0-9_]*$/, { error: "Small letters, digits and underscores" });

export const createNotificationTypeSchema = z.strictObject({
  type: wireType,
  class: notificationClassSchema,
  subtypes: z
    .array(wireType)
    .min(1, { error: "Name at least one" })
    .max(200)
    .refine((subtypes) => new Set(subtypes).size === subtypes.length, { error: "Each subtype once" }),
});
export type CreateNotificationTypeInput = z.infer<typeof createNotificationTypeSchema>;

export const notificationTypeSchema = z.object({
  id: z.uuid(),
  type: z.string().meta({ description: "What requests name it", example: "order" }),
  class: notificationClassSchema,
  subtypes: z.array(z.string()).meta({ example: ["order_status", "receipt"] }),
});
export type NotificationType = z.infer<typeof notificationTypeSchema>;

export const notificationTypeListSchema = z.object({ data: z.array(notificationTypeSchema) });

/** Something that the organisation consists of, and what it is called from now on. */
const named = z.strictObject({ id: z.uuid(), name: titleSchema });

export const updateOrganisationSchema = z.strictObject({ name: titleSchema });
export type UpdateOrganisationInput = z.infer<typeof updateOrganisationSchema>;

export const updateUnitSchema = named;
export type UpdateUnitInput = z.infer<typeof updateUnitSchema>;

/** What an environment is for cannot change: keys, gates and the sandbox's rules hang on it. */
export const updateEnvironmentSchema = named;
export type UpdateEnvironmentInput = z.infer<typeof updateEnvironmentSchema>;

/** What is left out stays. */
export const updateApplicationSchema = z.strictObject({
  id: z.uuid(),
  ...createApplicationSchema.pick({ title: true, defaultRegion: true, defaultLanguage: true }).partial()
    .shape,
});
export type UpdateApplicationInput = z.infer<typeof updateApplicationSchema>;

export const archiveApplicationSchema = z.strictObject({
  id: z.uuid(),
  /** False takes it back. */
  archived: z.boolean(),
});
export type ArchiveApplicationInput = z.infer<typeof archiveApplicationSchema>;

/** What of a type can change. */
export const notificationTypeChangeSchema = createNotificationTypeSchema
  .pick({ class: true, subtypes: true })
  .extend({
    expected: z
      .strictObject({ class: notificationClassSchema, subtypes: z.array(z.string().max(64)).max(200) })
      .optional()
      .meta({
        description:
          "Class and subtypes as you read them. The change is refused if someone has changed them since",
      }),
  });

export const updateNotificationTypeSchema = z.strictObject({
  id: z.uuid(),
  ...notificationTypeChangeSchema.shape,
});
export type UpdateNotificationTypeInput = z.infer<typeof updateNotificationTypeSchema>;

export const deletePartSchema = z.strictObject({ id: z.uuid() });
export type DeletePartInput = z.infer<typeof deletePartSchema>;

/** What an organisation consists of and can have too much of. */
export const partKindSchema = z.enum(["unit", "application", "environment", "notificationType"]);
export type PartKind = z.infer<typeof partKindSchema>;

export const dependentsSchema = z.strictObject({ kind: partKindSchema, id: z.uuid() });
export type DependentsInput = z.infer<typeof dependentsSchema>;

export const dependentKinds = [
  "applications",
  "connections",
  "senders",
  "members",
  "groups",
  "apiKeys",
  "pipelines",
  "rules",
  "templates",
  "webhooks",
  "messages",
] as const;
export type DependentKind = (typeof dependentKinds)[number];

/** How much of a kind hangs on something. */
export interface Dependent {
  kind: DependentKind;
  count: number;
}
