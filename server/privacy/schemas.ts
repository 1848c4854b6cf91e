/** How long data is kept. Safe in the browser. */
import { z } from "zod";
import { retentionSchema } from "../tenancy/schemas.ts";

const { shape } = retentionSchema;

/** The periods that an organisation chooses: all three, so that nobody changes what they did not look at. */
const periodsSchema = z.strictObject({
  contentDays: shape.contentDays.unwrap().meta({
    description: "Days after which addresses and content are removed from messages",
    example: 90,
  }),
  metadataMonths: shape.metadataMonths.unwrap().meta({
    description: "Full calendar months after which messages and their events are deleted",
    example: 13,
  }),
  webhookLogDays: shape.webhookLogDays.unwrap().meta({
    description: "Days after which webhook deliveries are deleted",
    example: 30,
  }),
});

/** Body of PUT /v1/retention. */
export const retentionUpdateSchema = periodsSchema
  .extend({
    expected: z
      .strictObject({ contentDays: z.int(), metadataMonths: z.int(), webhookLogDays: z.int() })
      .optional()
      .meta({
        description: "The periods you read. The change is refused if someone has changed them since",
      }),
  })
  .refine(({ contentDays, metadataMonths }) => contentDays <= metadataMonths * 28, {
    path: ["contentDays"],
    error: "Content can't be kept longer than messages",
  });
export type RetentionUpdate = z.output<typeof retentionUpdateSchema>;

const limit = z.object({ min: z.int(), max: z.int() });

export const retentionStateSchema = z.object({
  contentDays: z.int(),
  metadataMonths: z.int(),
  webhookLogDays: z.int(),
  limits: z.object({ contentDays: limit, metadataMonths: limit, webhookLogDays: limit }),
  lastRunAt: z.iso.datetime().nullable().meta({ description: "When the purge last finished a step" }),
  steps: z.array(
    z.object({
      id: z.string(),
      period: z
        .enum(["content", "metadata", "webhookLog", "fixed"])
        .meta({ description: "Which period it carries out; fixed: the same for every organisation" }),
      what: z.string(),
      action: z.enum(["blank", "delete"]).meta({ description: "blank: the row stays without its content" }),
      before: z.iso.datetime().meta({ description: "What is older goes" }),
      removed: z
        .int()
        .meta({ description: "Rows since the beginning; whole months that are dropped are not counted" }),
      lastRemoved: z.int().meta({ description: "Rows in the last run that found any" }),
      removedAt: z.iso.datetime().nullable(),
      checkedAt: z.iso
        .datetime()
        .nullable()
        .meta({ description: "When nothing was left to do; null while there is" }),
      problem: z.string().nullable(),
    }),
  ),
});
export type RetentionState = z.output<typeof retentionStateSchema>;

/** What would go. */
export interface RetentionPreview {
  steps: {
    id: string;
    what: string;
    action: "blank" | "delete";
    count: number;
    /** There is more than was counted. */
    more: boolean;
    /** Its period would become shorter than it is. */
    shortened: boolean;
  }[];
}

/** Body of POST /v1/erasures. */
export const erasureInputSchema = z.strictObject({
  addresses: z
    .array(z.string().max(320))
    .min(1, { error: "Name at least one" })
    .max(1_000)
    .meta({
      description:
        "E-mail addresses, numbers with their country code, and WhatsApp user ids; each is erased on every channel, with the addresses that are known to be the same person's",
      example: ["ada@example.com"],
    }),
  reference: z
    .string()
    .trim()
    .min(1)
    .max(120)
    .regex(/^\P{Cc}*$/u)
    .optional()
    .meta({
      description: "Your reference, such as a case number. Kept, so don't include an address",
      example: "DSR-17",
    }),
});
export type ErasureInput = z.output<typeof erasureInputSchema>;

export const erasureSchema = z.object({
  id: z.uuid(),
  state: z.enum(["waiting", "running", "done"]),
  addresses: z.int().meta({ description: "How many" }),
  reference: z.string().nullable(),
  requestedBy: z.string(),
  requestedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
  tables: z
    .array(z.object({ table: z.string(), rows: z.int() }))
    .meta({ description: "Where something was found, and how many rows were changed or deleted" }),
});
export type Erasure = z.output<typeof erasureSchema>;

export const erasureListQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(100).optional(),
});
export const erasureListSchema = z.object({
  data: z.array(erasureSchema),
  nextCursor: z.string().nullable(),
});

export const recipientSchema = z.strictObject({ address: z.string().trim().min(1).max(320) });

/** What is held about a recipient: how much of which kind. */
export const holdings = [
  "messages",
  "requests",
  "events",
  "attempts",
  "shortLinks",
  "webhookDeliveries",
  "conversations",
  "inboundMessages",
  "consentEntries",
  "suppressions",
  "contacts",
  "addressLinks",
] as const;

export interface Holdings {
  /** As it is stored. */
  address: string;
  counts: { kind: (typeof holdings)[number]; count: number; more: boolean }[];
  /** There is an account of a member with this address: it is not the recipient's, and stays. */
  member: boolean;
}
