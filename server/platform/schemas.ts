/** Inputs of the operator's channel commands. Safe in the browser. */
import { z } from "zod";
import { adapterNameSchema } from "../adapters/schemas.ts";
import { priceListSchema, sendersSchema } from "../connections/schemas.ts";
import { channelSchema } from "../kernel/channel.ts";
import { slugSchema, titleSchema } from "../tenancy/schemas.ts";

/** Fields whose names depend on the provider; its own schema decides. */
const fields = z.record(z.string(), z.unknown());
const region = z.string().min(2).max(16);

export const channelAddSchema = z.strictObject({
  name: titleSchema,
  provider: adapterNameSchema,
  channels: z.array(channelSchema).min(1).optional(),
  credentials: fields,
  settings: fields.default({}),
  priceList: priceListSchema.default([]),
  processingRegion: region.optional(),
});

/** Given fields replace the stored ones; the region stays while the channel is assigned. */
export const channelUpdateSchema = z.strictObject({
  name: titleSchema.optional(),
  credentials: fields.optional(),
  settings: fields.optional(),
  priceList: priceListSchema.optional(),
  processingRegion: region.optional(),
  enabled: z.boolean().optional(),
  /** False: what callbacks were verified with before verifies them no more. */
  callbackOverlap: z.literal(false).optional(),
});

export const channelAssignSchema = z.strictObject({
  channel: titleSchema,
  tenant: slugSchema,
  /** Name of the connection; by default the channel's. */
  name: titleSchema.optional(),
  senders: sendersSchema.default([]),
  /** The organisation's own settings, e.g. a phone number id. */
  settings: fields.default({}),
  /** Its own prices; by default the channel's. */
  priceList: priceListSchema.default([]),
  ratePerSecond: z.int().min(1).max(10_000).optional(),
});

export const channelSendersSchema = z.strictObject({
  tenant: slugSchema,
  /** Name of the connection. */
  connection: titleSchema,
  /** Replace the previous ones. */
  senders: sendersSchema,
  /** The previous ones, when nobody is to have changed them since they were read. */
  expected: sendersSchema.optional(),
});

export const channelUnassignSchema = z.strictObject({
  tenant: slugSchema,
  /** Name of the connection. */
  connection: titleSchema,
  /** Even when routing rules name it. */
  force: z.boolean().default(false),
});
