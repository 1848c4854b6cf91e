import { z } from "zod";
import { channelSchema } from "../kernel/channel.ts";
import type { Channel } from "../kernel/channel.ts";
import { costEntrySchema } from "../costs/schemas.ts";
import { pageOf, pageQuery } from "../kernel/page.ts";
import { messageLinkSchema } from "../links/schemas.ts";
import { capSchema } from "../recipient-limits/schemas.ts";
import { routeSchema } from "../routing/schemas.ts";
import { notificationClassSchema } from "../tenancy/schemas.ts";
import { notificationStatuses } from "./notification-state.ts";
import type { NotificationStatus } from "./notification-state.ts";
import { absentees, mostAtOnce, mostCounted } from "./vocabulary.ts";

const region = z
  .string()
  .regex(/^[A-Z]{2}$/, "Two upper-case letters, e.g. DE")
  .meta({ description: "Country or region code (ISO 3166-1 alpha-2)", example: "DE" });
const language = z
  .string()
  .regex(/^[a-z]{2}$/, "Two lower-case letters, e.g. en")
  .meta({ description: "Language code (ISO 639-1)", example: "en" });
const name = z.string().min(1).max(128);
const byteLength = (text: string) => new TextEncoder().encode(text).length;

/** Limits of one request. */
export const sendLimits = {
  recipients: 1_000,
  variables: 100,
  variableBytes: 4_096,
  metadataPairs: 16,
  transactionIdBytes: 255,
  scheduleAheadDays: 30,
  /** Of one request to contact groups. */
  broadcastRecipients: 1_000_000,
  /** Broadcasts of an organisation that have not ended. */
  openBroadcasts: 50,
} as const;

const variableValue = z
  .string("All values are sent as strings, numbers and dates too")
  .refine((value) => byteLength(value) <= sendLimits.variableBytes, "At most 4 KiB of UTF-8");
const variables = z
  .record(z.string().min(1).max(128), variableValue)
  .refine((map) => Object.keys(map).length <= sendLimits.variables, "At most 100 variables");
const metadata = z
  .record(z.string().min(1).max(64), z.string().max(512))
  .refine((map) => Object.keys(map).length <= sendLimits.metadataPairs, "At most 16 pairs")
  .meta({ description: "String pairs that are echoed in webhooks", example: { orderId: "4711" } });
const instant = z.iso.datetime({
  offset: true,
  error: "An ISO 8601 date and time with a zone, e.g. 2027-01-31T08:00:00Z",
});

export const recipientSchema = z.strictObject({
  channel: channelSchema,
  recipient: z.string().min(1).max(320).meta({
    description:
      "A phone number starting with + for sms and whatsapp, an e-mail address for email, its domain in any letters; for whatsapp also a business-scoped user id, like US.13491208655302741918",
    example: "+4915112345678",
  }),
  variables: variables
    .optional()
    .meta({ description: "Overrides the request's variables for this recipient" }),
});

const contactGroups = z
  .array(
    z.strictObject({
      group: name.meta({ description: "Name of the group" }),
      channels: z.array(channelSchema).min(1).max(3),
    }),
  )
  .max(50)
  .meta({
    description:
      "Contacts in these groups get one message on each of the channels they have an address for. Their attributes are used as variables, and their language and region select the template. Messages are sent in the background: follow the broadcast with the request's ID",
  });

/** Body of POST /api/app/notifications/send. */
export const sendRequestSchema = z.strictObject({
  transactionId: z
    .string()
    .min(1)
    .refine((value) => byteLength(value) <= sendLimits.transactionIdBytes, "At most 255 bytes of UTF-8")
    .meta({
      description: "Your ID for this request. Repeating it returns the first answer and sends nothing again",
      example: "order-4711-shipped",
    }),
  application: name,
  region,
  language,
  notificationType: name,
  notificationSubtype: name,
  recipients: z.array(recipientSchema).max(sendLimits.recipients, "At most 1,000 recipients").default([]),
  contactGroups: contactGroups.default([]),
  templateVariables: z.array(variables).max(sendLimits.variables).default([]).meta({
    description:
      "Values for the template, the same for every recipient. Several objects are put together; a variable with two different values is refused. What differs goes to `variables` of the recipient",
  }),
  scheduledAt: instant
    .optional()
    .meta({ description: "At most 30 days ahead; a time in the past means now" }),
  expiresAt: instant.optional(),
  metadata: metadata.default({}),
});
export type SendRequest = z.output<typeof sendRequestSchema>;

/** Body of POST /v1/notifications. */
export const notificationCreateSchema = z.strictObject({
  channel: channelSchema,
  to: z.string().min(1).max(320).meta({ example: "ada@example.com" }),
  template: name.meta({ description: "Name of the template", example: "one-time-passcode" }),
  variables: variables.default({}),
  application: name.optional().meta({ description: "Needed when the key serves more than one application" }),
  region: region.optional(),
  language: language.optional(),
  scheduledAt: instant
    .optional()
    .meta({ description: "At most 30 days ahead; a time in the past means now" }),
  expiresAt: instant.optional(),
  metadata: metadata.default({}),
});
export type NotificationCreate = z.output<typeof notificationCreateSchema>;

export const notificationStatusSchema = z.enum(notificationStatuses);
const acceptedStatusSchema = z.enum(["queued", "scheduled", "rejected", "pending_approval"]).meta({
  description: "`pending_approval`: sent to production with an agent's key, awaiting approval",
});
const messageCode = z.string().meta({
  description: "One of the message codes at `/docs/errors#messages`, which says whether it is retried",
  example: "invalid_recipient",
});
export const reasonSchema = z.object({ code: messageCode, detail: z.string() });
export const failureSchema = z.object({
  code: messageCode,
  detail: z.string(),
  providerCode: z
    .string()
    .nullish()
    .meta({ description: "The provider's own code, or the reply code of a mail server", example: "550" }),
  providerMessage: z.string().nullish().meta({ description: "The provider's own words, without addresses" }),
});

/** Answer of POST /api/app/notifications/send. */
export const sendResponseSchema = z.object({
  requestId: z.uuid(),
  transactionId: z.string(),
  notifications: z.array(
    z.object({
      notificationId: z.uuid(),
      channel: channelSchema,
      recipient: z.string(),
      status: acceptedStatusSchema,
      reason: reasonSchema.optional(),
    }),
  ),
  groups: z
    .array(
      z.object({
        group: z.string(),
        channels: z.array(channelSchema),
        contacts: z
          .int()
          .nullable()
          .meta({ description: "How many contacts the group has; null: not counted yet" }),
      }),
    )
    .optional()
    .meta({
      description: "Of a request with contactGroups; `GET /v1/broadcasts/{requestId}` has its progress",
    }),
});
export type SendResponse = z.output<typeof sendResponseSchema>;

export const notificationEventSchema = z.object({
  sequence: z.int(),
  at: z.iso.datetime(),
  type: z.string(),
  provider: z.string().nullish(),
  reason: reasonSchema.nullish(),
  failure: failureSchema.nullish(),
  problem: reasonSchema
    .optional()
    .meta({ description: "Problems that did not stop the message, such as a failed shortener" }),
  url: z
    .string()
    .optional()
    .meta({ description: "Of `clicked`: the address that was opened, for those who may see contents" }),
});

const time = z.iso.datetime().nullable();

/** A notification as the API presents it. */
export const notificationSchema = z.object({
  notificationId: z.uuid(),
  requestId: z.uuid(),
  transactionId: z.string().nullable(),
  application: z.string(),
  environment: z.string(),
  channel: channelSchema,
  to: z.string(),
  template: z.object({ name: z.string(), version: z.int() }).nullable(),
  notificationType: z.string(),
  notificationSubtype: z.string(),
  region: z.string(),
  language: z.string(),
  status: notificationStatusSchema,
  final: z.boolean().meta({ description: "True once the status can no longer change" }),
  reason: reasonSchema.nullable(),
  failure: failureSchema.nullable(),
  provider: z.string().nullable(),
  simulated: z.boolean().meta({
    description:
      "Sent through the simulator: whatever the status, nobody received it. Always true in the sandbox, elsewhere if a routing rule uses the simulator",
  }),
  providerMessageId: z.string().nullable(),
  segments: z.int().nullable(),
  cost: z
    .object({ amount: z.string(), currency: z.string(), source: z.enum(["reported", "estimated"]) })
    .nullable()
    .meta({
      description:
        "Provider cost of all attempts; `estimated` from price lists until the provider has reported every one. Excludes the platform fee and attempts in other currencies than the latest one. Null if unknown, and in the sandbox",
    }),
  metadata: z.record(z.string(), z.string()),
  createdAt: z.iso.datetime(),
  scheduledAt: time,
  expiresAt: z.iso.datetime(),
  sentAt: time,
  deliveredAt: time,
  failedAt: time,
  readAt: time,
  events: z.array(notificationEventSchema),
});
export type Notification = z.output<typeof notificationSchema>;

/** The same without its events: what lists hold. */
export const notificationSummarySchema = notificationSchema.omit({ events: true });
export type NotificationSummary = z.output<typeof notificationSummarySchema>;

/** Filters and paging of GET /v1/notifications. */
export const notificationListQuerySchema = z.object({
  status: z
    .union([notificationStatusSchema, z.array(notificationStatusSchema)], {
      error: `One of ${notificationStatuses.join(", ")}`,
    })
    .optional()
    .meta({ description: "One status, or several as repeated parameters" }),
  channel: channelSchema.optional(),
  to: z.string().min(1).max(320).optional().meta({
    description:
      "The whole address; a number in any form: `+41799496443`, `0041 79 949 64 43`, or `079 949 64 43` as dialled in a region that is an application's default. Needs `content:reveal`, 403 without it",
  }),
  application: name.optional(),
  template: name.optional(),
  transactionId: z.string().min(1).max(255).optional(),
  provider: z.string().min(1).max(128).optional(),
  notificationType: name.optional(),
  createdFrom: instant.optional(),
  createdTo: instant.optional(),
  ...pageQuery,
});

export const notificationListSchema = pageOf(notificationSummarySchema);

/** A message as its recipient sees it; members that the channel lacks, or the template does not say, are null. */
const renderedPreviewSchema = z.object({
  from: z
    .string()
    .nullable()
    .meta({ description: "Sender that the template names; else the connection's own" }),
  fromName: z.string().nullable(),
  replyTo: z.string().nullable(),
  subject: z.string().nullable(),
  text: z.string().nullable(),
  html: z.string().nullable(),
  attachments: z.array(z.object({ url: z.string(), filename: z.string() })),
  header: z.object({ type: z.enum(["text", "image", "video", "document"]), value: z.string() }).nullable(),
  footer: z.string().nullable(),
  buttons: z.array(
    z.object({
      type: z.enum(["quick_reply", "url", "phone"]),
      text: z.string(),
      value: z.string().optional(),
    }),
  ),
});

/** Answer of POST /v1/notifications/explain: what would happen, and why. */
export const explanationSchema = z.object({
  application: z.string(),
  environment: z.string(),
  class: z.string(),
  needsApproval: z
    .boolean()
    .meta({ description: "Whether it would need approval, as messages of agents do in production" }),
  messages: z.array(
    z.object({
      channel: channelSchema,
      recipient: z.string(),
      outcome: z.enum(["would_send", "would_reject", "would_fail"]),
      reason: reasonSchema.nullable(),
      template: z
        .object({
          id: z.uuid(),
          name: z.string(),
          version: z.int(),
          region: z.string().nullable(),
          language: z.string().nullable(),
          provider: z.string().nullable(),
        })
        .nullable(),
      otherTemplates: z.array(z.object({ name: z.string(), version: z.int(), why: z.string() })),
      route: routeSchema,
      consent: z.object({
        class: notificationClassSchema.meta({
          description:
            "Of which class consent is asked: marketing where WhatsApp counts the template as that",
        }),
        policy: z.enum(["opt_in_required", "opt_out", "exempt"]),
        state: z.enum(["opted_in", "opted_out"]).nullable(),
      }),
      suppressed: z.boolean(),
      limits: z.object({
        waits: z
          .object({
            code: z.enum(["quiet_hours", "frequency_cap", "mail_hold"]),
            until: z.iso
              .datetime()
              .nullable()
              .meta({ description: "Null: never, or with mail_hold when it ends" }),
            detail: z.string(),
          })
          .nullable()
          .meta({ description: "Why it would wait if it were sent now" }),
        caps: z
          .array(
            capSchema.extend({ had: z.int().meta({ description: "How many the recipient has received" }) }),
          )
          .meta({ description: "How many messages of the class the recipient can get" }),
      }),
      segments: z.int().nullable(),
      encoding: z.string().nullable(),
      estimatedCost: z.object({ amount: z.string(), currency: z.string() }).nullable(),
      preview: renderedPreviewSchema.nullable(),
    }),
  ),
});
export type Explanation = z.output<typeof explanationSchema>;

type Rendered = z.output<typeof renderedPreviewSchema>;

/** A request of an agent that waits, or waited, for a person. */
export interface Approval {
  /** Of the request. */
  id: string;
  state: "waiting" | "approved" | "refused" | "expired" | "canceled";
  application: string;
  environment: string;
  /** `ended`: it was revoked, or its owner may not sign in any more: nothing of it is approved. */
  key: { id: string; name: string; owner: string | null; ended: boolean };
  notificationType: string;
  notificationSubtype: string;
  template: string | null;
  transactionId: string | null;
  channel: Channel;
  /** The first recipient; masked for those who may not see addresses. */
  to: string;
  messages: number;
  /** ISO 8601, as all times here. */
  createdAt: string;
  expiresAt: string;
  decidedBy: string | null;
  decidedAt: string | null;
  reason: string | null;
  mayApprove: boolean;
  mayRefuse: boolean;
}

/** The same with its recipients and, for those who may see it, what they would read. */
export interface ApprovalDetails extends Approval {
  recipients: {
    notificationId: string;
    channel: Channel;
    to: string;
    status: NotificationStatus;
    simulated: boolean;
    reason: { code: string; detail: string } | null;
  }[];
  revealed: boolean;
  previews: { notificationId: string; channel: Channel; preview: Rendered | null }[];
}

export const approvalListSchema = z.strictObject({
  environmentId: z.uuid().optional(),
  unitId: z.uuid().optional(),
  /** Those that are decided, or were not decided in time. */
  decided: z.boolean().default(false),
  limit: z.int().min(1).max(100).default(50),
  cursor: z.string().max(500).optional(),
});
export type ApprovalListInput = z.output<typeof approvalListSchema>;

export const refuseSendSchema = z.strictObject({
  id: z.uuid(),
  reason: z.string().trim().min(1, { error: "Enter a reason. The owner of the agent reads it" }).max(500),
});

const previewSchema = explanationSchema.shape.messages.element.shape.preview;

/** The portal's details of one notification. */
export const timelineSchema = z.object({
  notification: notificationSchema,
  /** Why it is not in progress at the moment: its recipient's quiet hours or cap, or all its connections are out. */
  waits: z.string().nullable(),
  class: z.string(),
  templateId: z.uuid().nullable(),
  connectionId: z.uuid().nullable(),
  /** The fee is included for those who may see costs. */
  costs: z.array(costEntrySchema),
  /** Their sum in the organisation's own currency; null when it has none, or no rate for one of them. */
  totalCost: costEntrySchema.shape.own,
  attempts: z.array(
    z.object({
      number: z.int(),
      connectionId: z.uuid(),
      provider: z.string(),
      startedAt: z.iso.datetime(),
      finishedAt: time,
      outcome: z.enum(["sent", "not_sent", "unknown"]).nullable(),
      code: z.string().nullable(),
      detail: z.string().nullable(),
      providerCode: z.string().nullable(),
      providerMessage: z.string().nullable(),
      providerMessageId: z.string().nullable(),
      /** Through the simulator. */
      simulated: z.boolean(),
    }),
  ),
  /** Why it went the way it went, as recorded at the time; oldest first. */
  decisions: z.array(
    z.object({
      /** Null: nothing could carry it. */
      attempt: z.int().nullable(),
      connectionId: z.uuid().nullable(),
      rule: z
        .object({
          id: z.uuid(),
          name: z.string(),
          since: z.enum(["unchanged", "changed", "disabled", "deleted"]),
        })
        .nullable(),
      /** It went over the connection that received what it answers. */
      reply: z.boolean(),
      candidates: z.array(
        z.object({
          connectionId: z.uuid(),
          name: z.string(),
          tier: z.int(),
          share: z.number(),
          state: z.enum(["out", "slow", "busy", "failed"]).nullable(),
        }),
      ),
      leftOut: z.array(z.object({ name: z.string().nullable(), why: z.string() })),
      /** So many more were not recorded. */
      more: z.int(),
    }),
  ),
  webhooks: z.array(
    z.object({
      id: z.uuid(),
      endpointId: z.uuid(),
      url: z.string().nullable(),
      event: z.string(),
      sequence: z.int().nullable(),
      at: z.iso.datetime(),
      state: z.string(),
      attempts: z.int(),
      lastStatus: z.int().nullable(),
      lastError: z.string().nullable(),
      deliveredAt: time,
    }),
  ),
  /** As the rules are now: of use for one that has not gone any way yet. */
  route: routeSchema,
  canResend: z.boolean(),
  /** As the recipient saw it; null for those who may not see contents. */
  preview: previewSchema,
  revealed: z.boolean(),
  links: z.array(messageLinkSchema),
  encoding: z.string().nullable(),
  canCancel: z.boolean(),
});
export type Timeline = z.output<typeof timelineSchema>;

export type Absentee = (typeof absentees)[number];

/** What narrows a list of messages to those behind a figure of a report. */
export const reportedMessagesSchema = z.object({
  notificationSubtype: name.optional(),
  templateId: z.uuid().optional(),
  country: z
    .string()
    .regex(/^[A-Z]{2,3}$/)
    .optional(),
  mailDomain: z.enum(["gmail", "yahoo", "microsoft", "other"]).optional(),
  providerCode: z.string().min(1).max(40).optional(),
  sent: z.boolean().optional().meta({ description: "Handed to a provider, or not" }),
  final: z.boolean().optional().meta({ description: "Completed" }),
  simulated: z.boolean().optional().meta({ description: "Carried by a simulator, or not" }),
  without: z.array(z.enum(absentees)).max(absentees.length).optional(),
});

/** What is wrong in an environment now. */
export const outageSchema = z.object({
  connections: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      breaker: z.enum(["open", "half_open"]),
      since: z.iso.datetime(),
      reason: z.object({ code: z.string(), detail: z.string() }).nullable(),
      nextProbeAt: z.iso.datetime().nullable(),
      mayProbe: z.boolean(),
      /** The first of the environment's rules that names it. */
      ruleId: z.uuid().nullable(),
      waiting: z.object({
        count: z.int(),
        /** There are more than were looked at. */
        more: z.boolean(),
        oldestAt: z.iso.datetime().nullable(),
        /** Those with the most, five at most. */
        applications: z.array(z.object({ name: z.string(), title: z.string(), count: z.int() })),
      }),
    }),
  ),
});
export type Outage = z.output<typeof outageSchema>;

/** What a search for messages was for; besides, each is for a transaction id. */
export interface Searched {
  /** Whole addresses. */
  addresses: string[];
  /** Digits that numbers end in. */
  endings: string[];
  /** What a word in a mail address begins with. */
  word: string | null;
  /** A message's or a request's id. */
  id: boolean;
  /** The caller sees no addresses there, so none was looked for. */
  hidden: boolean;
  /** There may be more addresses than those whose messages are found. */
  more: boolean;
}

/** Inputs of the portal's lists. */
const portalFilterSchema = reportedMessagesSchema.extend({
  environmentId: z.uuid(),
  unitId: z.uuid().optional(),
  ids: z.array(z.uuid()).min(1).max(mostAtOnce).optional().meta({ description: "Only these" }),
  statuses: z.array(notificationStatusSchema).max(notificationStatuses.length).optional(),
  channel: channelSchema.optional(),
  application: name.optional(),
  template: name.optional(),
  connectionId: z.uuid().optional(),
  notificationType: name.optional(),
  failureCode: z.string().min(1).max(64).optional(),
  search: z.string().trim().min(1).max(320).optional(),
  createdFrom: instant.optional(),
  createdTo: instant.optional(),
});
export const portalCountSchema = portalFilterSchema.extend({
  /** No more are counted; 100,000 without it. */
  upTo: z.int().min(1).max(mostCounted).optional(),
});
export const portalListSchema = portalFilterSchema.extend({
  /** By when they were accepted; newest first without it. */
  order: z.enum(["newest", "oldest"]).optional(),
  limit: z.int().min(1).max(200).default(50),
  cursor: z.string().max(500).optional(),
});

const severalIds = z
  .array(z.uuid())
  .min(1)
  .max(mostAtOnce, `At most ${String(mostAtOnce)} messages at once`)
  .transform((ids) => [...new Set(ids)]);
export const cancelSeveralSchema = z.strictObject({ ids: severalIds });
export const resendSeveralSchema = z.strictObject({ ids: severalIds });

/** What became of each message that was to be canceled, in the order asked. */
export interface Canceled {
  id: string;
  /** `too_late`: it was on its way or done. `not_found`: there is none, or none that the caller may cancel. */
  outcome: "canceled" | "too_late" | "not_found";
}

/** What became of each message that was to be sent again, in the order asked. */
export interface Resent {
  id: string;
  /**
   * `already_resent`: somebody has within a day. `refused`: `detail` says why. `not_found`: there is none, or none that the caller may
   * send.
   */
  outcome: "resent" | "already_resent" | "refused" | "not_found";
  detail: string | null;
  /** The new message. */
  newId: string | null;
}

/** A send from the portal. */
export const portalSendSchema = z.object({
  environmentId: z.uuid(),
  application: name,
  notificationType: name,
  notificationSubtype: name,
  region: region.optional(),
  language: language.optional(),
  recipients: z
    .array(recipientSchema)
    .min(1)
    .max(20, "At most 20 recipients here; larger sends go through the API"),
  variables: variables.default({}),
  scheduledAt: instant.optional(),
  /** Made by the page once per compose, so that a double click sends once. */
  idempotencyKey: z.uuid(),
});

/** A broadcast from the portal: its recipients are listed, and a person starts it after looking at them. */
export const broadcastDraftSchema = z.strictObject({
  environmentId: z.uuid(),
  application: name,
  name: z.string().trim().min(1, { error: "Give it a name by which you find it again" }).max(128),
  notificationType: name,
  notificationSubtype: name,
  region: region.optional(),
  language: language.optional(),
  contactGroups: contactGroups.min(1, { error: "Choose at least one group" }),
  variables: variables.default({}),
  /** Made by the page once per compose, so that a double click makes one. */
  idempotencyKey: z.uuid(),
});

/** A broadcast that is being composed: who would get it. */
export const audienceCheckSchema = broadcastDraftSchema.pick({
  environmentId: true,
  application: true,
  notificationType: true,
  notificationSubtype: true,
  region: true,
  language: true,
  contactGroups: true,
});
export type AudienceCheck = z.output<typeof audienceCheckSchema>;

const ratePerSecond = z
  .int()
  .min(1, { error: "At least 1 message a second" })
  .max(10_000, { error: "At most 10,000 messages a second" })
  .nullable()
  .meta({ description: "Maximum messages per second; null: as fast as the providers accept them" });

export const broadcastStartSchema = z.strictObject({
  id: z.uuid(),
  startsAt: instant.optional(),
  ratePerSecond: ratePerSecond.optional(),
});

export const broadcastRateSchema = z.strictObject({ ratePerSecond });

export const sendAgainSchema = z.strictObject({
  id: z.uuid(),
  name: z.string().trim().min(1, { error: "Give it a name by which you find it again" }).max(128),
  idempotencyKey: z.uuid(),
});

export const broadcastListSchema = z.strictObject({
  environmentId: z.uuid().optional(),
  ...pageQuery,
});

const channelForecastSchema = z.object({
  channel: channelSchema,
  recipients: z.int(),
  consentDenied: z.int(),
  suppressed: z.int(),
  noAddress: z.int(),
});

/** A broadcast as lists present it. */
export const broadcastSummarySchema = z.object({
  id: z.uuid().meta({ description: "Of the request: its notifications have it as requestId" }),
  name: z.string(),
  application: z.string(),
  environment: z.string(),
  transactionId: z.string().nullable(),
  notificationType: z.string(),
  notificationSubtype: z.string(),
  class: z.string(),
  groups: z.array(z.object({ group: z.string(), channels: z.array(channelSchema) })),
  state: z
    .enum([
      "listing",
      "ready",
      "scheduled",
      "sending",
      "paused",
      "canceling",
      "finished",
      "canceled",
      "failed",
    ])
    .meta({ description: "`ready`: a draft with its recipients listed, to be started by a person" }),
  problem: reasonSchema
    .nullable()
    .meta({ description: "What is blocking it at the moment, or why it failed" }),
  recipients: z.int().meta({ description: "Listed so far; each counts once per channel" }),
  released: z.int().meta({ description: "Of these, those that have become messages or were left out" }),
  ratePerSecond: z.int().nullable(),
  startsAt: time,
  pausedBy: z.string().nullable(),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
  endedAt: time,
});

/** The same with its figures. */
export const broadcastSchema = broadcastSummarySchema.extend({
  counts: z
    .partialRecord(notificationStatusSchema, z.int())
    .meta({ description: "How many of its messages have each status" }),
  leftOut: z.record(z.string(), z.int()).meta({
    description:
      "Recipients who got no message, by reason. Together with the counts they add up to `recipients`",
  }),
  clicks: z.object({ people: z.int().min(0), machines: z.int().min(0) }).meta({
    description:
      "On the service's own short links in its messages: of people, and of programs such as scanners and previews",
  }),
  forecast: z
    .array(channelForecastSchema)
    .meta({ description: "Of a draft: who would be refused, as of when it was listed" }),
});
export type Broadcast = z.output<typeof broadcastSchema>;
export type BroadcastSummary = z.output<typeof broadcastSummarySchema>;

/** Sends a stored version to oneself. */
export const testSendSchema = z.strictObject({
  version: z.int().min(1).optional().meta({ description: "The latest without it" }),
  environment: z.string().min(1).max(64).optional().meta({
    description:
      "Short name or id: a stage of the application's pipeline or the sandbox; the first stage without it",
    example: "staging",
  }),
  to: z.string().min(1).max(320).meta({ example: "ada@example.com" }),
  variables: variables.default({}).meta({ description: "Over the examples of the declared variables" }),
  region: region.optional(),
  language: language.optional(),
});
export type TestSend = z.output<typeof testSendSchema>;

export const testSentSchema = z.object({
  notificationId: z.uuid(),
  status: acceptedStatusSchema,
  reason: reasonSchema.nullable(),
  version: z.int(),
  environment: z.string(),
});
