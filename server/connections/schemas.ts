import { z } from "zod";
import { adapterNameSchema } from "../adapters/schemas.ts";
import { channelSchema } from "../kernel/channel.ts";
import { pageQuery } from "../kernel/page.ts";
import { titleSchema } from "../tenancy/schemas.ts";

/**
 * `closed`: works, messages go over it. `open`: found unavailable, messages go elsewhere or wait. `half_open`: answered
 * a probe and is tried with a few messages.
 */
export const breakerSchema = z.enum(["closed", "open", "half_open"]);
export type Breaker = z.output<typeof breakerSchema>;

/**
 * How a connection is tried again: its probe passed; the provider only answered; it did not answer, and a message is
 * tried all the same.
 */
export type Trial = "full" | "careful" | "blind";

const senderFields = {
  channel: channelSchema,
  region: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
  sender: z.string().min(1).max(320),
};
/**
 * Who a message comes from, on a channel and, when set, in one region only. `*@example.com` is any address of a domain, for
 * templates that name one.
 */
export const senderSchema = z.strictObject({
  ...senderFields,
  unit: z.string().min(1).max(64).nullable().optional().meta({
    description:
      "Short name of the unit that owns the sender: only its messages use it, and only it sees the replies. Null or omitted: the unit of the connection, or everyone",
  }),
});
export const sendersSchema = z.array(senderSchema).max(500);
export type SenderIdentity = z.infer<typeof senderSchema>;

/** As a connection stores it: `unitId` where a tenant-wide connection lists a unit's sender. */
export const storedSendersSchema = z.array(z.object({ ...senderFields, unitId: z.uuid().optional() }));
export type StoredSender = z.infer<typeof storedSendersSchema>[number];

/** With its owner; null: the whole organisation's. */
export const ownedSendersSchema = z.array(z.object({ ...senderFields, unitId: z.uuid().nullable() }));
export type OwnedSender = z.infer<typeof ownedSendersSchema>[number];

/** The categories of WhatsApp's prices. */
export const whatsappCategorySchema = z.enum([
  "marketing",
  "utility",
  "authentication",
  "authentication_international",
  "service",
]);
export type WhatsappCategory = z.infer<typeof whatsappCategorySchema>;

const amount = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,6})?$/, "A number such as 0.0750, with a point and at most six decimals");
const day = z.iso.date("A day such as 2026-10-01");

const priceTier = {
  above: z
    .int()
    .min(1)
    .max(1_000_000_000_000)
    .meta({ description: "Applies after this many segments or messages in the month (UTC)" }),
  amount,
};
const priceTiers = <Tier extends z.ZodType>(tier: Tier) =>
  z.array(tier).min(1).max(20).optional().meta({
    description: "Volume prices in ascending order; `amount` applies below the first",
  });

/** What one segment (SMS) or message costs, in one country or anywhere. */
export const priceListEntrySchema = z.object({
  channel: channelSchema,
  /** WhatsApp only: for messages of this category; any without it. */
  category: whatsappCategorySchema.optional(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
  amount,
  currency: z.string().regex(/^[A-Z]{3}$/),
  validFrom: day.optional().meta({ description: "First day (UTC) it applies; omitted: no start" }),
  validTo: day.optional().meta({ description: "Last day (UTC) it applies; omitted: no end" }),
  freePerMonth: z
    .int()
    .min(0)
    .max(1_000_000_000)
    .optional()
    .meta({ description: "Free segments or messages per month (UTC)" }),
  tiers: priceTiers(z.object(priceTier)),
});
/** How many rows a list has at most, those of the past included. */
export const mostPrices = 2_000;
export const priceListSchema = z.array(priceListEntrySchema).max(mostPrices);
/** The same as it is given: a member that nobody knows is refused. */
export const priceListInputSchema = z
  .array(z.strictObject({ ...priceListEntrySchema.shape, tiers: priceTiers(z.strictObject(priceTier)) }))
  .max(mostPrices);
export type PriceListEntry = z.infer<typeof priceListEntrySchema>;

/** What asks for changes of price lists. */
export const priceChangesSchema = z.object({ ...pageQuery, connectionId: z.uuid().optional() });

/** What became of a row of a price list. */
export const priceChangeSchema = z.object({
  id: z.uuid(),
  at: z.iso.datetime(),
  connectionId: z.uuid(),
  /** Its name; null: it was deleted since. */
  connection: z.string().nullable(),
  /** Null: the row is new. */
  before: priceListEntrySchema.nullable(),
  /** Null: the row is gone. */
  after: priceListEntrySchema.nullable(),
});
export type PriceChange = z.output<typeof priceChangeSchema>;

/** A price list as a spreadsheet gives it. */
export const priceListTextSchema = z.object({ csv: z.string().max(500_000) });

const region = z
  .string()
  .min(2)
  .max(16)
  .regex(/^[A-Za-z0-9-]+$/)
  .meta({ description: "Where the provider processes the data, e.g. EU", example: "EU" });
const time = z.iso.datetime();

/** An object of fields whose names and forms depend on the provider; the adapter's schema decides. */
const fields = z.record(z.string().max(64), z.unknown());
const channels = z
  .array(channelSchema)
  .min(1)
  .transform((list) => [...new Set(list)])
  .meta({ description: "The channels the connection is used for", example: ["sms"] });
const ratePerSecond = z
  .int()
  .min(1)
  .max(10_000)
  .nullable()
  .meta({ description: "Messages per second across all workers; null: no limit" });
const maxConcurrency = z.int().min(1).max(1_000).meta({ description: "Concurrent calls per worker" });
const slowAfterMs = z.int().min(100).max(60_000).meta({ description: "Longer calls count as slow, ms" });

/** Where recipients' messages go that do not answer one of ours. */
export const inboundTargetSchema = z.strictObject({
  application: z.string().min(1).max(128).meta({ description: "Its name" }),
  environment: z.string().min(1).max(128).meta({ description: "Its short name" }),
});
export type InboundTarget = z.infer<typeof inboundTargetSchema>;

const unit = z
  .string()
  .min(1)
  .max(64)
  .nullable()
  .meta({ description: "Short name of the unit the connection belongs to; null: everyone" });

/** Body of POST /v1/providers. */
export const providerCreateSchema = z.strictObject({
  name: titleSchema.meta({ description: "Unique in the organisation", example: "Twilio Europe" }),
  provider: adapterNameSchema,
  unit: unit.default(null),
  channels: channels.optional(),
  credentials: fields.default({}),
  settings: fields.default({}),
  senders: sendersSchema.default([]),
  ratePerSecond: ratePerSecond.default(null),
  maxConcurrency: maxConcurrency.default(50),
  slowAfterMs: slowAfterMs.default(5_000),
  priceList: priceListInputSchema.default([]),
  processingRegion: region.optional().meta({
    description: "Where the provider processes data. Not needed if the provider's settings say so",
  }),
  inbound: inboundTargetSchema.nullable().default(null),
  enabled: z.boolean().default(true),
});
export type ProviderCreate = z.output<typeof providerCreateSchema>;

/** Body of PATCH /v1/providers/{id}; what is left out stays. */
export const providerUpdateSchema = z.strictObject({
  updatedAt: time.optional().meta({
    description: "The revision you read. The change is refused if someone has changed the connection since",
  }),
  name: titleSchema.optional(),
  unit: unit.optional(),
  channels: channels.optional(),
  credentials: fields.optional().meta({
    description:
      "Given fields replace stored ones, null removes one, omitted ones are kept. All are required when an address in the settings changes",
  }),
  callbackOverlap: z.boolean().optional().meta({
    description:
      "Whether callbacks signed with a credential that the change replaces are accepted for 24 hours more. False ends that at once, also for those replaced before. Default: true",
  }),
  settings: fields.optional().meta({
    description: "Given fields replace stored ones, null removes one, omitted ones are kept",
  }),
  senders: sendersSchema.optional(),
  ratePerSecond: ratePerSecond.optional(),
  maxConcurrency: maxConcurrency.optional(),
  slowAfterMs: slowAfterMs.optional(),
  priceList: priceListInputSchema.optional(),
  processingRegion: region.optional(),
  inbound: inboundTargetSchema.nullable().optional(),
  enabled: z.boolean().optional(),
});
export type ProviderUpdate = z.output<typeof providerUpdateSchema>;

/** What was read from a CSV price list; with errors it must not be used. */
export const readPriceListSchema = z.object({
  entries: priceListSchema,
  errors: z.array(z.object({ line: z.int().meta({ description: "From 1" }), detail: z.string() })),
});
export type ReadPriceList = z.infer<typeof readPriceListSchema>;

/** The present state of a connection: from its health and its attempts of the last 24 hours. */
export const providerStatusSchema = z.enum(["operational", "degraded", "down", "idle", "disabled"]);

export const providerTestSchema = z.object({
  at: time,
  problem: z.string().nullable().meta({ description: "The problem and what to change; null: no problem" }),
});

export const providerSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  provider: adapterNameSchema,
  unit: unit.meta({ description: "Short name of its unit; null: everyone" }),
  platform: z.boolean().meta({ description: "Whether the account is the operator's own" }),
  channels: z.array(channelSchema),
  status: providerStatusSchema,
  enabled: z.boolean(),
  processingRegion: z.string(),
  regionAllowed: z.boolean().meta({ description: "Whether the organisation's data may be processed there" }),
  senders: sendersSchema,
  ratePerSecond: z.int().nullable(),
  maxConcurrency: z.int(),
  slowAfterMs: z.int(),
  receipts: z.boolean().meta({ description: "Whether the provider reports deliveries" }),
  health: z
    .object({
      breaker: breakerSchema,
      since: time,
      reason: z.object({ code: z.string(), detail: z.string().nullable() }).nullable(),
      nextProbeAt: time.nullable(),
      slow: z.boolean(),
    })
    .nullable()
    .meta({ description: "Null: no problems so far" }),
  lastTest: providerTestSchema.nullable(),
  last24Hours: z.object({
    attempts: z.number().int(),
    sent: z.number().int(),
    notSent: z.number().int(),
    unknown: z.number().int(),
    errors: z.array(z.object({ code: z.string(), count: z.number().int() })),
  }),
  createdAt: time,
  updatedAt: time,
});
export const providerListSchema = z.object({ data: z.array(providerSchema) });
export type Provider = z.infer<typeof providerSchema>;

/** A routing rule that uses a connection. */
export const usingRuleSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  environment: z.string(),
  enabled: z.boolean(),
  tier: z.int().meta({ description: "The first tier with the connection, from 1" }),
  unroutable: z.boolean().meta({ description: "Whether the rule has no other active connection" }),
});
export type UsingRule = z.infer<typeof usingRuleSchema>;

export const providerDetailSchema = providerSchema.extend({
  settings: fields,
  credentialsSet: z
    .array(z.string())
    .meta({ description: "Names of the stored credentials; their values are never shown" }),
  priceList: priceListSchema,
  inbound: inboundTargetSchema.nullable(),
  callback: z
    .object({
      url: z.string(),
      setup: z.string().nullable(),
      oldSecretsUntil: time
        .nullable()
        .meta({ description: "How long callbacks signed with a replaced credential are still accepted" }),
    })
    .nullable()
    .meta({ description: "Where the provider reports to, and what is to be set up there" }),
  rules: z.array(usingRuleSchema),
  hiddenRules: z.int().meta({ description: "Further rules, for applications of teams that you cannot see" }),
  problem: z
    .string()
    .nullable()
    .meta({ description: "Why the connection cannot be used at all, e.g. unreadable credentials" }),
});
export type ProviderDetail = z.infer<typeof providerDetailSchema>;

export const providerDeletedSchema = z.object({
  rules: z.array(usingRuleSchema).meta({ description: "Rules that named it and now do without" }),
  hiddenRules: z.int(),
});

/** An answer of the provider to a message, to be judged by the settings: as its documentation or a real call shows it. */
export const exampleAnswerSchema = z.strictObject({
  status: z.int().min(100).max(599),
  headers: z.string().max(4_096).default("").meta({ description: "One a line: Name: value" }),
  body: z.string().max(65_536).default(""),
});
export type ExampleAnswer = z.output<typeof exampleAnswerSchema>;

const exampleAnswer = exampleAnswerSchema.optional();

/** What to test before it is saved: a new connection's fields, or changes of a stored one. */
export const testUnsavedSchema = z.union([
  z.strictObject({
    provider: adapterNameSchema,
    unit: unit.default(null),
    credentials: fields.default({}),
    settings: fields.default({}),
    answer: exampleAnswer,
  }),
  z.strictObject({
    id: z.uuid(),
    changes: z.strictObject({ credentials: fields.optional(), settings: fields.optional() }),
    answer: exampleAnswer,
  }),
]);
export type UnsavedConnection = z.output<typeof testUnsavedSchema>;

export const testResultSchema = z.object({
  ok: z.boolean(),
  problem: z.string().nullable().meta({ description: "What is wrong and what to change" }),
  facts: z.array(z.object({ label: z.string(), value: z.string() })),
  warnings: z.array(z.string()).meta({
    description: "What works and is likely not meant, such as that any answer counts as sent",
  }),
});
export type ProviderTestResult = z.infer<typeof testResultSchema>;

/** How an answer would be judged. */
export const answerJudgementSchema = z.object({
  outcome: z.enum(["sent", "not_sent", "unknown"]),
  providerMessageId: z.string().nullable(),
  detail: z.string().nullable(),
  providerCode: z.string().nullable(),
  providerMessage: z.string().nullable(),
  warnings: z.array(z.string()),
});
export type JudgedAnswer = z.infer<typeof answerJudgementSchema>;
export type UnsavedTestResult = ProviderTestResult & { judgement: JudgedAnswer | null };

const jsonSchema = z.record(z.string(), z.unknown()).meta({ description: "A JSON Schema" });

/** A kind of provider that connections can be made to. */
export const providerAdapterSchema = z.object({
  name: adapterNameSchema,
  label: z.string(),
  channels: z.array(channelSchema),
  receipts: z.array(channelSchema).meta({ description: "Channels on which deliveries are reported" }),
  inbound: z
    .array(channelSchema)
    .meta({ description: "Channels on which messages from recipients are read" }),
  price: z.enum(["none", "rate_card", "answer", "receipt", "later"]).meta({
    description: "When a message's price becomes known",
  }),
  idempotent: z.boolean().meta({
    description: "Whether a message can be tried again safely after an unknown outcome",
  }),
  callbackSetup: z
    .string()
    .nullable()
    .meta({ description: "What to set up at the provider; {url} is the connection's callback address" }),
  credentials: jsonSchema,
  settings: jsonSchema,
});
export type ProviderAdapter = z.infer<typeof providerAdapterSchema>;
export const providerAdapterListSchema = z.object({ data: z.array(providerAdapterSchema) });
