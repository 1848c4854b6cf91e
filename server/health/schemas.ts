/** Health of connections, as shown to people and systems. Safe in the browser. */
import { z } from "zod";
import { breakerSchema } from "../connections/schemas.ts";
import { channelSchema } from "../kernel/channel.ts";

/**
 * `opened`: found unavailable. `probed`: probed, with `code` "passed" or "failed". `closed`: works again. `slow` and
 * `recovered`: too many of its calls are slow, and no longer.
 */
export const incidentKindSchema = z.enum(["opened", "probed", "closed", "slow", "recovered"]);
export type IncidentKind = z.output<typeof incidentKindSchema>;

/** The present state of a connection. */
export const connectionNowSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  provider: z.string().meta({ description: "Name of its adapter" }),
  channels: z.array(z.string()),
  unitId: z.uuid().nullable(),
  enabled: z.boolean(),
  breaker: breakerSchema,
  /** Since when it has been in trouble, or works again; null when it never was in trouble. */
  since: z.iso.datetime().nullable(),
  reason: z.object({ code: z.string(), detail: z.string() }).nullable(),
  nextProbeAt: z.iso.datetime().nullable(),
  slowSince: z.iso.datetime().nullable(),
  /** Milliseconds from which on a call counts as slow. */
  slowAfterMs: z.int(),
  mayProbe: z.boolean(),
});
export type ConnectionNow = z.output<typeof connectionNowSchema>;

export const healthRanges = ["24h", "7d", "30d"] as const;

export const healthReportQuerySchema = z.object({
  range: z.enum(healthRanges).default("24h"),
  connectionId: z.uuid().optional(),
  channel: channelSchema.optional(),
  environmentId: z.uuid().optional(),
});

const calls = {
  sent: z.int(),
  notSent: z.int(),
  unknown: z.int(),
};
const ms = z.number().nullable();

/** Outcomes and durations of calls over connections; times are starts of hours or days (UTC). */
export const healthReportSchema = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  bucket: z.enum(["hour", "day"]),
  series: z.array(z.object({ at: z.iso.datetime(), ...calls, p50Ms: ms, p95Ms: ms })),
  /** Those with calls, the busiest first. */
  connections: z.array(
    z.object({ id: z.uuid(), name: z.string(), ...calls, p50Ms: ms, p95Ms: ms, p99Ms: ms }),
  ),
  /** Of the busiest connections: the 95th percentile in each bucket of `series`. */
  durations: z.array(z.object({ id: z.uuid(), name: z.string(), p95Ms: z.array(ms) })),
  /** Why calls did not send, the most frequent first, in each bucket of `series`. */
  errors: z.array(z.object({ code: z.string(), total: z.int(), counts: z.array(z.int()) })),
});
export type HealthReport = z.output<typeof healthReportSchema>;

export const incidentListQuerySchema = z.object({
  connectionId: z.uuid().optional(),
  limit: z.int().min(1).max(100).default(30),
  cursor: z.string().max(500).optional(),
});
export const incidentSchema = z.object({
  id: z.uuid(),
  connectionId: z.uuid(),
  connection: z.string(),
  kind: incidentKindSchema,
  code: z.string().nullable(),
  detail: z.string().nullable(),
  at: z.iso.datetime(),
});
export type Incident = z.output<typeof incidentSchema>;
