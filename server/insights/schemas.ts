import { z } from "zod";
import { channelSchema } from "../kernel/channel.ts";

const count = z.int().min(0);

/** Counts of the messages accepted in a period, by outcome. */
export const deliveryCountsSchema = z.object({
  accepted: count,
  sent: count.meta({ description: "Handed to a provider" }),
  delivered: count,
  sentWithoutReceipt: count.meta({ description: "Sent through a provider that reports no deliveries" }),
  failed: count,
  rejected: count,
  expired: count,
  canceled: count,
  undetermined: count,
  deliveryRate: z.number().min(0).max(1).nullable().meta({
    description:
      "Delivered, of those that were delivered, failed, expired or ended undetermined; null when none has. Leaves out what a provider without receipts took, and what was rejected or canceled",
  }),
});
export type DeliveryCounts = z.output<typeof deliveryCountsSchema>;

const percentiles = z.object({ p50: z.number(), p95: z.number(), p99: z.number() }).nullable();

/** Delivery statistics of a period (GET /v1/reports/delivery, Overview). */
export const deliveryReportSchema = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  bucket: z.enum(["hour", "day"]),
  totals: deliveryCountsSchema,
  latencyMs: z
    .object({ sent: percentiles, delivered: percentiles })
    .meta({ description: "From accepted to sent and to delivered, in ms; accurate to a fifth" }),
  series: z.array(
    deliveryCountsSchema.extend({
      at: z.iso.datetime(),
      sentP50Ms: z.number().nullable(),
      sentP95Ms: z.number().nullable(),
    }),
  ),
  byChannel: z.array(deliveryCountsSchema.extend({ channel: z.string() })),
  byApplication: z.array(deliveryCountsSchema.extend({ application: z.string() })),
  byProvider: z.array(deliveryCountsSchema.extend({ provider: z.string(), connectionId: z.string() })),
  failures: z.array(z.object({ status: z.string(), code: z.string(), count })),
});
export type DeliveryReport = z.output<typeof deliveryReportSchema>;

const instant = z.iso.datetime({ offset: true, error: "An ISO 8601 date and time with a zone" });

export const deliveryReportQuerySchema = z.object({
  from: instant.optional().meta({ description: "Default: 24 hours before `to`; rounded down to the hour" }),
  to: instant.optional().meta({ description: "Default: now; rounded up to the hour" }),
  bucket: z.enum(["hour", "day"]).optional().meta({ description: "Default: hours up to 3 days, else days" }),
  application: z.string().min(1).max(128).optional(),
  channel: channelSchema.optional(),
});
export type DeliveryReportQuery = z.output<typeof deliveryReportQuerySchema>;
