import { createHmac } from "node:crypto";
import { z } from "zod";
import { canonicalJson } from "../kernel/canonical-json.ts";
import type { AuditEvent } from "./audit-event.ts";

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const place = z.object({ sequence: z.int().min(0), hash });

/** The first line of an export as JSON lines. */
export const exportHeaderSchema = z.object({
  format: z.literal("tidings-audit-export/1"),
  tenantId: z.uuid(),
  exportedAt: z.iso.datetime(),
  /** Whether it is the whole trail, entry by entry; otherwise each entry can be verified, but not that none is missing. */
  complete: z.boolean(),
  /** What comes before the first entry. */
  from: place,
  /** The last entry there was. */
  to: place,
  /** The signed note of what was deleted before the first entry. */
  purge: z.object({ at: z.iso.datetime(), signature: z.string() }).nullable(),
  publicKey: z.string().nullable(),
});
export type ExportHeader = z.output<typeof exportHeaderSchema>;

const nullable = z.string().nullable();
/** Every other line. */
export const exportLineSchema = z.object({
  /** Null: not in the chain yet. */
  sequence: z.int().min(1).nullable(),
  origin: z.enum(["service", "unsigned", "foreign"]).nullable(),
  hash: hash.nullable(),
  /** The hash of the entry before, in an export that is not complete. */
  previous: hash.nullish(),
  /** Null: the event of this entry is gone. */
  event: z
    .object({
      tenantId: z.string(),
      id: z.string(),
      at: z.string(),
      actorType: z.string(),
      actorId: nullable,
      actorName: z.string(),
      action: z.string(),
      targetType: z.string(),
      targetId: nullable,
      unitId: nullable,
      environmentId: nullable,
      requestId: z.string(),
      data: z.unknown(),
    })
    .nullable(),
});
export type ExportLine = z.output<typeof exportLineSchema>;

/** Holds the header of an export to the chain's key, so that nobody shortens an export unseen. */
export function headerMac(key: Buffer, header: ExportHeader): string {
  return createHmac("sha256", key)
    .update(`tidings-audit-export/1\n${canonicalJson(header)}`)
    .digest("hex");
}

/** The columns of an export as CSV. */
export const csvColumns = [
  "sequence",
  "at",
  "actorType",
  "actorName",
  "actorId",
  "action",
  "targetType",
  "targetId",
  "unitId",
  "environmentId",
  "requestId",
  "id",
  "before",
  "after",
  "details",
] as const;

const json = (value: unknown) => (value === undefined ? "" : JSON.stringify(value));

/** An event as a row of these columns. */
export function csvRow(event: AuditEvent, sequence: number | null): string[] {
  const { before, after, ...details } = event.data as Record<string, unknown>;
  return [
    sequence === null ? "" : String(sequence),
    event.at,
    event.actorType,
    event.actorName,
    event.actorId ?? "",
    event.action,
    event.targetType,
    event.targetId ?? "",
    event.unitId ?? "",
    event.environmentId ?? "",
    event.requestId,
    event.id,
    json(before),
    json(after),
    Object.keys(details).length === 0 ? "" : json(details),
  ];
}
