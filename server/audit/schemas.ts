import { z } from "zod";
import { retentionMonths } from "./vocabulary.ts";

/** Who may have done something. */
export const actorTypes = ["user", "apiKey", "system"] as const;

const time = z.iso.datetime();
const bound = z.iso.datetime({
  offset: true,
  error: "An ISO 8601 date and time with a zone, e.g. 2027-01-31T08:00:00Z",
});

/** What narrows the trail: the list, its exports and the REST list take the same. */
export const auditFilterSchema = z.object({
  q: z.string().trim().max(200).optional().meta({
    description: "A name, an action, the ID of a resource, event or request, or a recipient's full address",
  }),
  action: z.string().min(1).max(100).optional().meta({ description: "e.g. `api_key.revoked`" }),
  actorId: z.uuid().optional().meta({ description: "The person or API key that acted" }),
  actorType: z.enum(actorTypes).optional(),
  targetType: z.string().min(1).max(100).optional().meta({ description: "e.g. `template`" }),
  targetId: z.string().min(1).max(200).optional(),
  environmentId: z.uuid().optional(),
  unitId: z.uuid().optional(),
  from: bound.optional().meta({ description: "At this moment or later" }),
  to: bound.optional().meta({ description: "Before this moment" }),
});
export type AuditFilter = z.output<typeof auditFilterSchema>;

/** Query of GET /v1/audit-events. */
export const auditListQuerySchema = auditFilterSchema.extend({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(500).optional(),
});
export type AuditListQuery = z.output<typeof auditListQuerySchema>;

export const auditEventSchema = z.object({
  id: z.uuid(),
  sequence: z
    .int()
    .nullable()
    .meta({ description: "Its position in the organisation's chain; null for the first few seconds" }),
  at: time,
  actorType: z.enum(actorTypes),
  actorId: z.uuid().nullable(),
  actorName: z.string(),
  action: z.string(),
  targetType: z.string(),
  targetId: z.string().nullable(),
  unitId: z.uuid().nullable(),
  environmentId: z.uuid().nullable(),
  requestId: z.string().meta({ description: "Also in the answer to the request and in the log" }),
  data: z.record(z.string(), z.unknown()).meta({
    description: "`before` and `after` contain what changed, without secrets and with addresses as tokens",
  }),
});
export type AuditEventView = z.output<typeof auditEventSchema>;

export const auditListSchema = z.object({
  data: z.array(auditEventSchema),
  nextCursor: z.string().nullable(),
});

export const retentionSchema = z.object({
  months: z.int().min(retentionMonths.min).max(retentionMonths.max),
});

/** How far a trail is chained and verified, and what it was signed with last. */
export interface AuditIntegrity {
  entries: number;
  verified: { sequence: number; at: string } | null;
  failure: {
    kind: string;
    sequence: number | null;
    eventId: string | null;
    detail: string;
    foundAt: string;
  } | null;
  /** Deleted because of their age. */
  purged: { sequence: number } | null;
  checkpoint: {
    at: string | null;
    /** When one was written to the file that leaves the installation; null: there is none. */
    filedAt: string | null;
    publicKey: string | null;
    keyId: string | null;
  };
  retentionMonths: number;
}

export const exportFormats = ["csv", "jsonl"] as const;
export type ExportFormat = (typeof exportFormats)[number];
