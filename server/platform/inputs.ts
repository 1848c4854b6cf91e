/** What operators say of their own channels. */
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

/** What is given replaces what was; the region stays while somebody uses the channel. */
export const channelUpdateSchema = z.strictObject({
  name: titleSchema.optional(),
  credentials: fields.optional(),
  settings: fields.optional(),
  priceList: priceListSchema.optional(),
  processingRegion: region.optional(),
  enabled: z.boolean().optional(),
});

export const channelAssignSchema = z.strictObject({
  channel: titleSchema,
  tenant: slugSchema,
  /** Of the connection; the channel's without it. */
  name: titleSchema.optional(),
  senders: sendersSchema.default([]),
  /** What is the organisation's own in the channel's settings, e.g. a phone number id. */
  settings: fields.default({}),
  /** Its own prices; the channel's without them. */
  priceList: priceListSchema.default([]),
  ratePerSecond: z.int().min(1).max(10_000).optional(),
});

export const channelSendersSchema = z.strictObject({
  tenant: slugSchema,
  /** Name of the connection. */
  connection: titleSchema,
  /** Replace those that it had. */
  senders: sendersSchema,
});

export const channelUnassignSchema = z.strictObject({
  tenant: slugSchema,
  /** Name of the connection. */
  connection: titleSchema,
  /** Also when routing rules name it. */
  force: z.boolean().default(false),
});
