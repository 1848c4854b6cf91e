import { z } from "zod";
import { channelSchema } from "../kernel/channel.ts";
import type { testEvent, WebhookEvent } from "./schemas.ts";

/*
 * The `data` of each event: the one source of the API's description. Outside production, events are checked against it when they
 * are enqueued and when they are posted, so that the two cannot differ. Receivers must expect further members.
 */

const time = z.iso.datetime();
/** In every event: those of the endpoint. In the feed the event's own; `application` is empty where it concerns all. */
const place = { application: z.string(), environment: z.string() };
const messageCode = z.string().meta({
  description:
    "One of the codes of messages at `/docs/errors#messages`, which says whether it is tried again",
  example: "invalid_recipient",
});

const notification = {
  notificationId: z.uuid(),
  channel: channelSchema,
  to: z.string(),
  status: z.string().meta({ description: "As of the notification, when this happened" }),
  provider: z.string().nullable(),
  deliveredAt: time.nullable(),
  sequence: z.int().meta({ description: "Numbers the events of a notification without gaps" }),
  ...place,
  transactionId: z.string().nullable(),
  reason: z.object({ code: messageCode, detail: z.string() }).nullable(),
  failure: z
    .object({
      code: messageCode,
      detail: z.string(),
      providerCode: z.string().nullish(),
      providerMessage: z.string().nullish(),
    })
    .nullable(),
  metadata: z.record(z.string(), z.string()),
};

const suppression = {
  suppressionId: z.uuid(),
  channel: channelSchema,
  address: z.string().nullable().meta({ description: "Null: the recipient's data was erased" }),
  reason: z.string(),
  notificationId: z.uuid().nullable(),
  expiresAt: time.nullable(),
  at: time,
};

const inbound = {
  messageId: z.uuid(),
  channel: channelSchema,
  from: z.string().meta({ description: "The recipient who wrote" }),
  to: z.string().meta({ description: "Your sender" }),
  text: z.string(),
  kind: z.string().optional().meta({ description: "For messages other than text, e.g. image" }),
  repliesTo: z.uuid().optional().meta({ description: "The notification that it answers" }),
  receivedAt: time,
  provider: z.string(),
};
const button = z.object({ payload: z.string(), text: z.string() });

const consent = {
  consentId: z.uuid(),
  channel: channelSchema,
  address: z.string(),
  region: z.string().nullable().meta({ description: "Null: every region" }),
  class: z.string().nullable().meta({ description: "Null: every class" }),
  source: z.string(),
  at: time,
};

/** A kind of body: the events that have it, and what its `data` holds. */
export interface EventSchema {
  /** The name in the API's description. */
  name: string;
  events: readonly (WebhookEvent | typeof testEvent)[];
  data: z.ZodObject;
  /** Members that hold addresses or what a recipient wrote, of events that are not a notification's own. */
  personal?: readonly string[];
}

/** A notification's own events first; the others come from use cases, which leave `application` and `environment` to the delivery. */
export const eventSchemas: readonly EventSchema[] = [
  {
    name: "NotificationChanged",
    events: [
      "notification.pending_approval",
      "notification.queued",
      "notification.sending",
      "notification.sent",
      "notification.delivered",
      "notification.failed",
      "notification.rejected",
      "notification.expired",
      "notification.canceled",
      "notification.undetermined",
      "notification.read",
      "notification.complained",
    ],
    data: z.looseObject(notification),
  },
  {
    name: "NotificationBounced",
    events: ["notification.bounced"],
    data: z.looseObject({
      ...notification,
      permanent: z.boolean().optional().meta({
        description: "Whether the address is permanently undeliverable; absent if the provider does not say",
      }),
    }),
  },
  {
    name: "LinkClicked",
    events: ["link.clicked"],
    data: z.looseObject({
      ...notification,
      url: z.string().optional().meta({ description: "The address that was opened" }),
    }),
  },
  {
    name: "ConsentChanged",
    events: ["consent.opted_in", "consent.opted_out"],
    data: z.looseObject({ ...consent, ...place }),
    personal: ["address"],
  },
  {
    name: "SuppressionChanged",
    events: ["suppression.created", "suppression.removed"],
    data: z.looseObject({ ...suppression, ...place }),
    personal: ["address"],
  },
  {
    name: "ImportFinished",
    events: ["import.finished"],
    data: z.looseObject({
      importId: z.uuid(),
      kind: z.enum(["consent", "contacts", "suppressions"]),
      state: z.enum(["finished", "canceled", "failed"]),
      counts: z
        .object({ created: z.int(), updated: z.int(), unchanged: z.int(), failed: z.int() })
        .meta({ description: "Rows of the file by outcome" }),
      startedAt: time.nullable(),
      ...place,
    }),
  },
  {
    name: "MessageReceived",
    events: ["message.received"],
    data: z.looseObject({
      ...inbound,
      button: button.optional().meta({ description: "The quick-reply button that was tapped" }),
      ...place,
    }),
    personal: ["from", "text", "button"],
  },
  {
    name: "ButtonTapped",
    events: ["button.tapped"],
    data: z.looseObject({
      ...inbound,
      button: button.meta({ description: "The quick-reply button that was tapped" }),
      ...place,
    }),
    personal: ["from", "text", "button"],
  },
  {
    name: "ProcessingError",
    events: ["processing.error"],
    data: z.looseObject({
      code: z.string().meta({
        description: "What went wrong; further members depend on it",
        example: "provider_unavailable",
      }),
      detail: z.string().optional(),
      ...place,
    }),
  },
  {
    name: "BudgetThresholdReached",
    events: ["budget.threshold_reached"],
    data: z.looseObject({
      budgetId: z.uuid(),
      budget: z.string(),
      percent: z.int().meta({ description: "The threshold; of several at once the highest" }),
      month: z.string().meta({ description: "By UTC", example: "2026-11" }),
      ...place,
    }),
  },
  {
    name: "AuditCheckpointSigned",
    events: ["audit.checkpoint"],
    data: z.looseObject({
      tenantId: z.uuid(),
      sequence: z.int(),
      hash: z.string().meta({ description: "Of the entry that `sequence` numbers" }),
      at: time,
      checkpoint: z.int().meta({ description: "Numbers the installation's checkpoints" }),
      keyId: z.string().meta({ description: "Of the installation's public key" }),
      signature: z.string().meta({ description: "Ed25519; docs/audit.md says over what" }),
      ...place,
    }),
  },
  {
    name: "Tested",
    events: ["webhook.test"],
    data: z.looseObject({ webhookId: z.uuid(), ...place }),
  },
];

const byEvent = new Map<string, EventSchema>(
  eventSchemas.flatMap((each) => each.events.map((event) => [event, each] as const)),
);

/** What the `data` of an event holds that says who a recipient is or what they wrote, and what else is known of it. */
export function membersOf(event: string): { personal: ReadonlySet<string>; known: ReadonlySet<string> } {
  const { data, personal = [] } = byEvent.get(event) ?? {};
  return { personal: new Set(personal), known: new Set(Object.keys(data?.shape ?? {})) };
}

/** Throws when the `data` of an event is not as the API describes it. For development and tests. */
export function checkEventData(event: string, data: Record<string, unknown>): void {
  const { error } = byEvent.get(event)?.data.safeParse(data) ?? {
    error: new Error("no such event is described"),
  };
  if (error) throw new Error(`The data of ${event} is not as described: ${error.message}`);
}
