/** Inputs of the console's operations. Safe in the browser. */
import { z } from "zod";
import { newPasswordSchema } from "../access/schemas.ts";
import { platformFeesSchema } from "../costs/schemas.ts";
import { pageQuery } from "../kernel/page.ts";
import { organisationSchema } from "../onboarding/schemas.ts";
import { quotaSchema } from "../quotas/schemas.ts";
import { channelAssignSchema, channelSendersSchema, channelUnassignSchema } from "../platform/schemas.ts";
import { emailSchema, titleSchema } from "../tenancy/schemas.ts";

/** An operator, as the command takes one. */
export const newOperatorSchema = z.strictObject({ email: emailSchema, name: titleSchema });

export const operatorSignInSchema = z.strictObject({
  email: z.string().max(254),
  password: z.string().max(1_024),
  /** Of the app, or a recovery code. */
  code: z.string().max(40).optional(),
});

export const operatorPasswordSchema = z.strictObject({
  token: z.string().min(1).max(200),
  password: newPasswordSchema,
});

const search = z.string().trim().max(120).optional();

export const listOrganisationsSchema = z.strictObject({
  search,
  state: z.enum(["active", "suspended"]).optional(),
  ...pageQuery,
});

export const organisationRefSchema = z.strictObject({ id: z.uuid() });

export const createOrganisationSchema = organisationSchema;

export const suspendOrganisationSchema = z.strictObject({
  id: z.uuid(),
  /** Stands in the organisation's audit trail, too. */
  reason: z.string().trim().min(3, { error: "Say why, in a few words" }).max(500),
});

export const deleteOrganisationSchema = z.strictObject({
  id: z.uuid(),
  /** Its short name, so that it is not another one. */
  slug: z.string().max(120),
  reason: z.string().trim().min(3, { error: "Say why, in a few words" }).max(500),
});

const feeSchema = platformFeesSchema.valueType;
export const setFeesSchema = z.strictObject({
  id: z.uuid(),
  /** Of the fees that the change is based on. */
  revision: z.string().max(100).optional(),
  /** Null: none. */
  fees: z.strictObject({
    sms: feeSchema.nullable(),
    email: feeSchema.nullable(),
    whatsapp: feeSchema.nullable(),
  }),
});

/** What is left out stays. */
export const setQuotaSchema = z.strictObject({ id: z.uuid(), ...quotaSchema.partial().shape });
export const listAssignmentsSchema = z.strictObject({ channelId: z.uuid(), ...pageQuery });

/** As the command takes it, but for prices. */
export const assignConsoleChannelSchema = channelAssignSchema.omit({ priceList: true });
export const lendConsoleChannelSchema = channelSendersSchema;
export const takeConsoleChannelSchema = channelUnassignSchema;

export const listOperatorEventsSchema = z.strictObject({
  /** Without what operators only looked at. */
  changesOnly: z.boolean().default(false),
  organisation: z.uuid().optional(),
  ...pageQuery,
});

/** The order in which pages show the lanes. */
export const laneNames = ["otp", "transactional", "bulk", "sandbox", "webhook", "maintenance"] as const;
export type LaneName = (typeof laneNames)[number];
