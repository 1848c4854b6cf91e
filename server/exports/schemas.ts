import { z } from "zod";
import { channelSchema } from "../kernel/channel.ts";
import { pageOf, pageQuery } from "../kernel/page.ts";
import { portalListSchema } from "../sending/schemas.ts";

/** Bounds of exports; none of rows. */
export const exportLimits = {
  /** Of a person or a key, that have not ended; an organisation's are written one after the other. */
  openOfOne: 3,
  open: 20,
  /** What the files of an organisation take up together, compressed. */
  bytes: 2 * 1_073_741_824,
  /** For which a file is kept. */
  days: 7,
} as const;

export const exportKinds = ["messages", "costs"] as const;
export type ExportKind = (typeof exportKinds)[number];

const exportStates = ["waiting", "running", "finished", "canceled", "failed", "expired"] as const;
export type ExportState = (typeof exportStates)[number];

const instant = z.iso.datetime({ offset: true, error: "An ISO 8601 date and time with a zone" });
const name = z.string().min(1).max(128);

/** Those of the list of messages, and those that systems have. */
const messageFilter = {
  ...portalListSchema.omit({ environmentId: true, order: true, limit: true, cursor: true }).shape,
  to: z.string().min(1).max(320).optional(),
  transactionId: z.string().min(1).max(255).optional(),
  provider: name.optional(),
};

const costFilter = {
  from: instant.optional().meta({ description: "When the cost arose" }),
  to: instant.optional(),
  unitId: z.uuid().optional(),
  application: name.optional(),
  channel: channelSchema.optional(),
};

const environment = { environmentId: z.uuid().optional() };

export const exportInputSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("messages"),
    filter: z.strictObject({ ...environment, ...messageFilter }).default({}),
  }),
  z.strictObject({
    kind: z.literal("costs"),
    filter: z.strictObject({ ...environment, ...costFilter }).default({}),
  }),
]);
export type ExportInput = z.output<typeof exportInputSchema>;
export type MessageExportFilter = Extract<ExportInput, { kind: "messages" }>["filter"];
export type CostExportFilter = Extract<ExportInput, { kind: "costs" }>["filter"];

/** Body of POST /v1/exports: the key says which environment. */
export const exportRequestSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("messages"),
    filter: z
      .strictObject(messageFilter)
      .default({})
      .meta({ description: "Same as for listing notifications" }),
  }),
  z.strictObject({ kind: z.literal("costs"), filter: z.strictObject(costFilter).default({}) }),
]);

export const exportIdSchema = z.strictObject({ id: z.uuid() });
export const exportListQuerySchema = z.object(pageQuery);

export const exportSchema = z.object({
  id: z.uuid(),
  kind: z.enum(exportKinds),
  state: z.enum(exportStates),
  fileName: z.string(),
  filter: z.record(z.string(), z.unknown()).meta({ description: "The requested filters" }),
  columns: z.array(z.string()).meta({ description: "Of the file; empty until it is begun" }),
  rows: z.int().meta({ description: "Written so far" }),
  bytes: z.number().meta({ description: "Of its rows so far" }),
  share: z.number().min(0).max(1).meta({ description: "Progress" }),
  ahead: z.int().meta({ description: "Exports of the organisation before this one" }),
  problem: z.string().nullable().meta({ description: "Why there is no file" }),
  createdAt: z.iso.datetime().meta({ description: "Later data is not in the file" }),
  finishedAt: z.iso.datetime().nullable(),
  expiresAt: z.iso.datetime().nullable().meta({ description: "When the file is deleted" }),
});
export type ExportView = z.output<typeof exportSchema>;
export const exportListSchema = pageOf(exportSchema);
