import { z } from "zod";
import { pageOf, pageQuery } from "../kernel/page.ts";
import { successRateLimits, webhookEvents } from "./vocabulary.ts";

export type WebhookEvent = (typeof webhookEvents)[number];
export const webhookEventSchema = z.enum(webhookEvents);

/** Sent on request only, whatever the endpoint's filter. */
export const testEvent = "webhook.test";

/** Seconds before each attempt; the first is made at once. */
export const defaultRetrySchedule: readonly number[] = [
  0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400,
];

const url = z.string().min(1).max(2_048).meta({
  description: "Where events are posted; https, without user information",
  example: "https://example.com/hooks",
});
const description = z.string().max(500);
const events = z
  .array(webhookEventSchema)
  .max(webhookEvents.length)
  .transform((list) => [...new Set(list)])
  .meta({
    description:
      "Kinds of events to receive; empty: all but `budget.threshold_reached` and `audit.checkpoint`",
    example: ["notification.delivered"],
  });
const retrySchedule = z
  .array(z.int().min(0).max(604_800))
  .min(1)
  .max(20)
  .refine((delays) => delays[0] === 0, "The first delay must be 0")
  .meta({
    description:
      "Seconds before each attempt, including the first. Each delay varies by ±20%. Null: the default schedule",
    example: [0, 5, 300, 1800],
  });

/** Body of POST /v1/webhooks. */
export const webhookCreateSchema = z.strictObject({
  url,
  description: description.nullish(),
  events: events.default([]),
  retrySchedule: retrySchedule.nullish(),
  application: z
    .string()
    .min(1)
    .max(128)
    .optional()
    .meta({ description: "Needed when the key serves more than one application" }),
});
export type WebhookCreate = z.output<typeof webhookCreateSchema>;

/** Body of PATCH /v1/webhooks/{id}; what is left out stays. */
export const webhookUpdateSchema = z.strictObject({
  url: url.optional(),
  description: description.nullish(),
  events: events.optional(),
  retrySchedule: retrySchedule.nullish(),
  enabled: z.boolean().optional().meta({ description: "Enabling resets the endpoint's failure state" }),
});
export type WebhookUpdate = z.output<typeof webhookUpdateSchema>;

const time = z.iso.datetime();

/** Why an endpoint is off: switched off by hand, answered 410, or five days of only failures. */
export const disabledReasonSchema = z.enum(["manual", "gone", "failing"]);
export type DisabledReason = z.output<typeof disabledReasonSchema>;

export const webhookSchema = z.object({
  id: z.uuid(),
  url: z.string(),
  description: z.string().nullable(),
  application: z.string(),
  environment: z.string(),
  events: z.array(z.string()),
  retrySchedule: z.array(z.int()),
  enabled: z.boolean(),
  disabledReason: disabledReasonSchema.nullable(),
  disabledAt: time.nullable(),
  failingSince: time.nullable().meta({ description: "Since when every attempt has failed" }),
  previousSecretExpiresAt: time.nullable().meta({ description: "How long the previous secret also signs" }),
  createdAt: time,
  updatedAt: time,
});
export type Webhook = z.output<typeof webhookSchema>;

const secret = z.string().meta({
  description: "Signs the events; shown this once",
  example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
});

export const webhookWithSecretSchema = webhookSchema.extend({ secret });
export type WebhookWithSecret = z.output<typeof webhookWithSecretSchema>;

/** Query of GET /v1/webhooks. */
export const webhookListQuerySchema = z.object({
  application: z.string().min(1).max(128).optional(),
  ...pageQuery,
});
export type WebhookListQuery = z.output<typeof webhookListQuerySchema>;

export const webhookListSchema = pageOf(webhookSchema);

/** pending: more attempts will follow; discarded: the endpoint was off, or deleted: kept to be replayed. */
export const deliveryStateSchema = z.enum(["pending", "delivered", "failed", "discarded"]);

export const webhookDeliverySchema = z.object({
  id: z.uuid().meta({ description: "Also the webhook-id header" }),
  event: z.string(),
  notificationId: z.uuid().nullable(),
  sequence: z.int().nullable(),
  state: deliveryStateSchema,
  attempts: z.int(),
  nextAttemptAt: time.nullable(),
  lastStatus: z.int().nullable(),
  lastError: z.string().nullable(),
  at: time.meta({ description: "When it happened" }),
  deliveredAt: time.nullable(),
});
export type WebhookDelivery = z.output<typeof webhookDeliverySchema>;

/** Query of GET /v1/webhooks/{id}/deliveries. */
export const deliveryListQuerySchema = z.object({
  state: deliveryStateSchema.optional(),
  event: z.enum([...webhookEvents, testEvent]).optional(),
  ...pageQuery,
});
export type DeliveryListQuery = z.output<typeof deliveryListQuerySchema>;

export const deliveryListSchema = pageOf(webhookDeliverySchema);

export const webhookAttemptSchema = z.object({
  number: z.int(),
  startedAt: time,
  durationMs: z.int(),
  status: z.int().nullable(),
  error: z.string().nullable(),
  responseBody: z.string().nullable().meta({ description: "The first 2 KiB of the response" }),
  requestHeaders: z
    .record(z.string(), z.string())
    .nullable()
    .meta({
      description:
        "The headers as sent, lower case, without those that HTTP itself needs. The signature is hidden without content:reveal. Null for attempts from before they were kept",
      example: { "content-type": "application/json", "webhook-timestamp": "1801382400" },
    }),
});
export type WebhookAttempt = z.output<typeof webhookAttemptSchema>;

export const deliveryDetailSchema = webhookDeliverySchema.extend({
  body: z.string().nullable().meta({
    description:
      "The exact body, as signed now. Without content:reveal the address is hidden and the signature left out; null once the message was erased",
  }),
  masked: z.boolean(),
  attemptLog: z.array(webhookAttemptSchema),
});
export type DeliveryDetail = z.output<typeof deliveryDetailSchema>;

/** Body of POST /v1/webhooks/{id}/replay. */
export const replaySchema = z.strictObject({
  since: z.iso
    .datetime({ offset: true, error: "An ISO 8601 date and time with a zone, e.g. 2027-01-31T08:00:00Z" })
    .meta({
      description: "Failed and missed events since this time are delivered again",
    }),
});
export type Replay = z.output<typeof replaySchema>;

export const replayResultSchema = z.object({
  replayed: z.int(),
  complete: z.boolean().meta({ description: "False if more are left. Repeat the call" }),
});

/** Input of the procedure that answers success rates. */
export const successRatesInputSchema = z.object({
  ids: z.array(z.uuid()).min(1).max(successRateLimits.endpoints),
});

/** Events of a period by outcome; those that are pending or were missed do not count. */
export interface SuccessRate {
  delivered: number;
  failed: number;
  /** False: there were more than are counted, and the newest stand for all. */
  complete: boolean;
}

export interface EndpointSuccess {
  id: string;
  last24Hours: SuccessRate;
  last7Days: SuccessRate;
}
