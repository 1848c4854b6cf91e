import { z } from "zod";
import { adapterNameSchema, channelSchema } from "./adapters/schemas.ts";

/** Who a message comes from, on a channel and, when set, in one region only. */
export const senderSchema = z.object({
  channel: channelSchema,
  region: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
  sender: z.string().min(1).max(320),
});
export const sendersSchema = z.array(senderSchema).max(500);
export type SenderIdentity = z.infer<typeof senderSchema>;

/** What WhatsApp's prices go by. */
export const whatsappCategorySchema = z.enum(["authentication", "utility", "marketing", "service"]);
export type WhatsappCategory = z.infer<typeof whatsappCategorySchema>;

/** What one segment (SMS) or message costs, in one country or anywhere. */
export const priceListEntrySchema = z.object({
  channel: channelSchema,
  /** WhatsApp only: for messages of this category; any without it. */
  category: whatsappCategorySchema.optional(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
  amount: z.string().regex(/^\d{1,9}(\.\d{1,6})?$/),
  currency: z.string().regex(/^[A-Z]{3}$/),
});
export const priceListSchema = z.array(priceListEntrySchema).max(2_000);
export type PriceListEntry = z.infer<typeof priceListEntrySchema>;

/** How a connection is doing: from its attempts of the last 24 hours. */
export const providerStatusSchema = z.enum(["operational", "degraded", "down", "idle", "disabled"]);

export const providerSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  provider: adapterNameSchema,
  channels: z.array(channelSchema),
  status: providerStatusSchema,
  enabled: z.boolean(),
  processingRegion: z.string(),
  senders: sendersSchema,
  receipts: z.boolean().meta({ description: "Whether the provider reports deliveries" }),
  last24Hours: z.object({
    attempts: z.number().int(),
    sent: z.number().int(),
    notSent: z.number().int(),
    unknown: z.number().int(),
    errors: z.array(z.object({ code: z.string(), count: z.number().int() })),
  }),
});
export const providerListSchema = z.object({ data: z.array(providerSchema) });
export type Provider = z.infer<typeof providerSchema>;
