import { z } from "zod";
import { channelSchema } from "../kernel/channel.ts";
import type { Channel } from "../kernel/channel.ts";
import { dimensions, overviewPeriods } from "./vocabulary.ts";

const count = z.int().min(0);

export const dimensionSchema = z.enum(dimensions);
export type Dimension = z.output<typeof dimensionSchema>;

export const intervals = ["hour", "day", "week", "month"] as const;
export const intervalSchema = z.enum(intervals);
export type Interval = z.output<typeof intervalSchema>;

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
  read: count.meta({ description: "Read, as the recipient's app reports it" }),
  clicked: count.meta({ description: "Clicks on links in them" }),
  bounced: count.meta({ description: "Bounced after acceptance" }),
  complained: count.meta({ description: "Reported as spam by their recipients" }),
  deliveryRate: z.number().min(0).max(1).nullable().meta({
    description:
      "Delivered as a share of delivered, failed, expired and undetermined; null if there are none. Excludes providers without receipts, and rejected or canceled messages",
  }),
});
export type DeliveryCounts = z.output<typeof deliveryCountsSchema>;

/** What the simulator took in a period. */
const simulatedSchema = z.object({
  connectionId: z.uuid().nullable().meta({ description: "The simulator; null: the organisation has none" }),
  sent: count,
  delivered: count,
});
export type SimulatedCount = z.output<typeof simulatedSchema>;

const percentiles = z.object({ p50: z.number(), p95: z.number(), p99: z.number() }).nullable();
const latencyMs = z
  .object({ sent: percentiles, delivered: percentiles })
  .meta({ description: "From accepted (or scheduled) to sent and to delivered, in ms; accurate to a fifth" });

/** What a group of a report has in common: for each dimension what people call it, and what filters take. */
export const groupKeySchema = z
  .partialRecord(
    dimensionSchema,
    z.object({
      value: z.string().nullable().meta({ description: "What the filter takes; null: there is none" }),
      label: z.string(),
    }),
  )
  .meta({ description: "One member for each dimension of groupBy" });
export type GroupKey = z.output<typeof groupKeySchema>;

const point = z.object({ at: z.iso.datetime() });

const deliveryGroupSchema = deliveryCountsSchema.extend({
  key: groupKeySchema,
  latencyMs,
  series: z
    .array(point.extend({ accepted: count, delivered: count, failed: count }))
    .meta({ description: "Time series; empty unless `interval` is given" }),
});
export type DeliveryGroup = z.output<typeof deliveryGroupSchema>;

/** Delivery statistics of a period (GET /v1/reports/delivery, Overview, Delivery). */
export const deliveryReportSchema = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  interval: intervalSchema,
  totals: deliveryCountsSchema,
  simulated: simulatedSchema.meta({
    description:
      "Of these, what the simulator took: the totals count it as sent and delivered, and nobody received it",
  }),
  latencyMs,
  series: z.array(
    deliveryCountsSchema.extend({
      at: z.iso.datetime(),
      sentP50Ms: z.number().nullable(),
      sentP95Ms: z.number().nullable(),
      deliveredP50Ms: z.number().nullable(),
      deliveredP95Ms: z.number().nullable(),
    }),
  ),
  groups: z.array(deliveryGroupSchema).meta({ description: "By groupBy, the largest first" }),
  moreGroups: z.boolean().meta({ description: "There are more groups than `limit`" }),
  failures: z
    .array(
      z.object({
        status: z.string(),
        code: z.string(),
        providerCode: z.string().meta({ description: "The provider's own code; empty when it gave none" }),
        connectionId: z.uuid().nullable(),
        provider: z.string().nullable(),
        count,
      }),
    )
    .meta({ description: "Reasons for failure, most frequent first, at most 50" }),
});
export type DeliveryReport = z.output<typeof deliveryReportSchema>;

/**
 * The messages accepted in a period by what has become of them: each is in one of the counts after `accepted`, which they add up to.
 * What a simulator ended is in `simulated` and nowhere else, because nobody received it.
 */
export interface OutcomeCounts {
  accepted: number;
  /** Not at an end yet. */
  underWay: number;
  delivered: number;
  /** Sent through a provider that reports no deliveries. */
  sentWithoutReceipt: number;
  failed: number;
  rejected: number;
  expired: number;
  canceled: number;
  undetermined: number;
  simulated: number;
}

/** The Overview's figures: of a period, and of the one before it that is as long. */
export interface OverviewReport {
  from: string;
  to: string;
  /** Of the course over time. */
  step: "five_minutes" | "hour" | "day";
  /** The last hour has too many messages to be read one by one: the clock hour that runs, and the one before it. */
  wholeHours: boolean;
  /** An environment where no message can reach anybody; in it nothing is counted as simulated. */
  sandbox: boolean;
  totals: OutcomeCounts;
  /**
   * What of the period is held against the one before: without the hour that is not over, as it is not as long as its like. Null:
   * nothing is.
   */
  compared: { now: OutcomeCounts; then: OutcomeCounts } | null;
  /** From accepted (or scheduled) to sent, in ms, without what a simulator took; null: nothing was sent. */
  sentMs: { p50: number; p95: number; p99: number } | null;
  series: (OutcomeCounts & { at: string; sentP50Ms: number | null; sentP95Ms: number | null })[];
  channels: (OutcomeCounts & { channel: Channel })[];
  /** Why messages did not arrive, most frequent first, at most 50; code "": none is known. */
  failures: { status: string; code: string; count: number }[];
  previous: {
    totals: OutcomeCounts;
    sentP50Ms: number | null;
    /** Accepted messages by the steps of `series`, as far as they are compared. */
    accepted: number[];
  };
}

export const instant = z.iso.datetime({ offset: true, error: "An ISO 8601 date and time with a zone" });
const name = z.string().min(1).max(128);

/** `a,b` or `a` repeated; each at most once. */
const groupBy = z
  .union([z.string().transform((text) => text.split(",").map((part) => part.trim())), z.array(z.string())])
  .pipe(
    z
      .array(z.enum(dimensions, { error: `One or more of ${dimensions.join(", ")}` }))
      .min(1)
      .max(3, "At most three dimensions")
      .refine((list) => new Set(list).size === list.length, "Each dimension once"),
  );

/** What narrows a report; by the names and ids that its groups have as `value`. */
export const reportFilterSchema = z.object({
  application: name.optional(),
  channel: channelSchema.optional(),
  unit: name.optional().meta({ description: "Short name of the unit" }),
  provider: z.uuid().optional().meta({ description: "Id of the connection" }),
  country: z
    .string()
    .regex(/^[A-Z]{2,3}$/, "A country's two letters, as DE")
    .optional()
    .meta({
      description: "Of the recipient's number; of an e-mail address, which has none, the request's region",
    }),
  notificationType: name.optional(),
  notificationSubtype: name.optional(),
  template: z.uuid().optional().meta({ description: "Id of the template" }),
  mailDomain: z.enum(["gmail", "yahoo", "microsoft", "other"]).optional(),
});

const reportQuery = reportFilterSchema.extend({
  from: instant.optional().meta({ description: "Rounded down to the hour (UTC)" }),
  to: instant.optional().meta({ description: "Default: now; rounded up to the hour" }),
  interval: intervalSchema.optional().meta({
    description:
      "Of the course over time, in UTC; weeks begin on Monday. Default: hours up to 3 days, else days",
  }),
  groupBy: groupBy.optional().meta({ description: `Up to three of ${dimensions.join(", ")}, by commas` }),
  limit: z.coerce.number().int().min(1).max(500).optional().meta({
    description: "The most groups; default 100, and 20 with `interval`",
  }),
});

/** What the Overview is asked for: its period ends now, on the server's clock. */
export const overviewQuerySchema = z.object({
  period: z.enum(overviewPeriods),
  environmentId: z.uuid(),
  unitId: z.uuid().optional(),
  application: name.optional(),
  channel: channelSchema.optional(),
});
export type OverviewQuery = z.output<typeof overviewQuerySchema>;

export const deliveryReportQuerySchema = reportQuery.extend({
  from: instant.optional().meta({ description: "Default: 24 hours before `to`; rounded down to the hour" }),
});
export type DeliveryReportQuery = z.output<typeof deliveryReportQuerySchema>;

const amount = z.string().meta({ description: "Decimal number with six places", example: "12.345678" });

/** Sums in one currency; amounts of different currencies are never added. */
export const costSumsSchema = z.object({
  currency: z.string(),
  messages: amount.meta({ description: "What providers charge" }),
  platformFees: amount.meta({ description: "What the operator charges" }),
  total: amount,
  reported: amount.meta({ description: "Of `messages`, what providers reported" }),
  estimated: amount.meta({ description: "Of `messages`, what is estimated from price lists" }),
  charged: count.meta({ description: "Attempts with a price" }),
  segments: count.meta({ description: "Segments of these; only SMS has any" }),
  averagePerMessage: amount.nullable().meta({ description: "`messages` ÷ `charged`" }),
  averagePerSegment: amount
    .nullable()
    .meta({ description: "Cost of attempts with segments ÷ `segments`; null if there are none" }),
});
export type CostSums = z.output<typeof costSumsSchema>;

const ownSums = z
  .object({
    currency: z.string(),
    messages: amount,
    platformFees: amount,
    total: amount,
    withoutRate: z
      .array(z.string())
      .meta({ description: "Currencies without a rate for a day, excluded from totals" }),
  })
  .nullable()
  .meta({
    description: "Total in the organisation's currency at its own rates; null if it has none",
  });

/** Costs of a period (GET /v1/reports/costs, Costs). */
export const costReportSchema = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  interval: intervalSchema,
  totals: z.array(costSumsSchema).meta({ description: "By currency, the largest first" }),
  own: ownSums,
  series: z.array(point.extend({ costs: z.array(costSumsSchema), own: ownSums })),
  groups: z.array(
    z.object({
      key: groupKeySchema,
      costs: z.array(costSumsSchema),
      own: ownSums,
      series: z.array(point.extend({ costs: z.array(costSumsSchema), own: ownSums })),
    }),
  ),
  moreGroups: z.boolean(),
  unpriced: z
    .array(
      z.object({
        connectionId: z.uuid(),
        provider: z.string(),
        sent: count.meta({ description: "Attempts it accepted" }),
        charged: count.meta({ description: "Of these, those with a price" }),
      }),
    )
    .meta({ description: "Connections that took messages, with how many have a price" }),
});
export type CostReport = z.output<typeof costReportSchema>;

export const costReportQuerySchema = reportQuery.extend({
  from: instant
    .optional()
    .meta({ description: "Default: the beginning of the month (UTC); rounded down to the hour" }),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, "Three upper-case letters, e.g. EUR")
    .optional(),
});
export type CostReportQuery = z.output<typeof costReportQuerySchema>;
