/** What the tenancy procedures take. Browser-safe. */
import { z } from "zod";

export const environmentKindSchema = z.enum(["production", "nonproduction", "sandbox"]);
export type EnvironmentKind = z.infer<typeof environmentKindSchema>;

/** What a promotion into a stage of a pipeline must pass (DECISIONS §6). */
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
  testSend: z.boolean().default(false).meta({ description: "Each version must have been sent in a test" }),
});
export type Gates = z.output<typeof gatesSchema>;

/** The gates of a new stage: into production, somebody else must have agreed. */
export function defaultGates(kind: EnvironmentKind): Gates {
  const strict = kind === "production";
  return { approvals: strict ? 1 : 0, moderation: true, whatsappApproval: strict, testSend: false };
}

export const notificationClassSchema = z.enum(["authentication", "transactional", "service", "marketing"]);
export type NotificationClass = z.infer<typeof notificationClassSchema>;

/** A name in URLs. */
export const slugSchema = z
  .string()
  .min(1)
  .max(40)
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, { error: "Lower-case letters, digits and hyphens" });

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
  stages: z.array(z.uuid()).min(1).max(10),
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
    .min(1)
    .max(200)
    .refine((subtypes) => new Set(subtypes).size === subtypes.length, { error: "Each subtype once" }),
});
export type CreateNotificationTypeInput = z.infer<typeof createNotificationTypeSchema>;
