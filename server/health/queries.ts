import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import type { Breaker, IncidentKind, Trial } from "./schemas.ts";

type TenantDb = Pick<Ctx, "db" | "tenantId">;

export interface HealthRow {
  connectionId: string;
  breaker: Breaker;
  since: Date;
  reasonCode: string | null;
  reasonDetail: string | null;
  openings: number;
  nextProbeAt: Date | null;
  /** While it is half open. */
  trial: Trial | null;
  slow: boolean;
  slowSince: Date | null;
}

const columns = `connection_id AS "connectionId", breaker, since, reason_code AS "reasonCode",
  reason_detail AS "reasonDetail", openings, next_probe_at AS "nextProbeAt", trial, slow, slow_since AS "slowSince"`;

/** What is known of the tenant's connections; one that was never in trouble has no row. */
export function selectHealth(ctx: TenantDb): Promise<HealthRow[]> {
  return queryInTenant<HealthRow>(
    ctx,
    `SELECT ${columns} FROM connection_health WHERE tenant_id = $1 LIMIT 1000`,
    [ctx.tenantId],
  );
}

/**
 * Opens a closed connection, unless it was closed again after the calls that speak against it had begun. Of several that
 * try at once, one succeeds: it gets the number of openings in a row, the others null.
 */
export async function openClosed(
  tx: Tx,
  key: { tenantId: string; connectionId: string },
  change: { code: string; detail: string; from: Date; now: Date; relapseSince: Date },
): Promise<number | null> {
  const rows = await tx.$queryRaw<{ openings: number }[]>`
    INSERT INTO connection_health AS h (tenant_id, connection_id, breaker, since, reason_code, reason_detail, openings,
                                        next_probe_at, wake_at, updated_at)
    VALUES (${key.tenantId}::uuid, ${key.connectionId}::uuid, 'open', ${change.now}, ${change.code}, ${change.detail}, 1,
            ${change.now}, now(), ${change.now})
    ON CONFLICT (tenant_id, connection_id) DO UPDATE SET breaker = 'open', since = excluded.since,
      reason_code = excluded.reason_code, reason_detail = excluded.reason_detail, next_probe_at = excluded.next_probe_at,
      openings = CASE WHEN h.since > ${change.relapseSince} THEN h.openings + 1 ELSE 1 END, failed_probes = 0, trial = NULL,
      wake_at = now(), wake_size = 0, updated_at = excluded.updated_at
    WHERE h.breaker = 'closed' AND h.since <= ${change.from}
    RETURNING openings`;
  return rows[0]?.openings ?? null;
}

/** Opens one that is on trial again; null when another process was quicker. `reason` null: the one it had. */
export async function reopen(
  tx: Tx,
  key: { tenantId: string; connectionId: string },
  change: { reason: { code: string; detail: string } | null; now: Date },
): Promise<number | null> {
  const rows = await tx.$queryRaw<{ openings: number }[]>`
    UPDATE connection_health SET breaker = 'open', reason_code = coalesce(${change.reason?.code ?? null}, reason_code),
      reason_detail = coalesce(${change.reason?.detail ?? null}, reason_detail), openings = openings + 1, trial = NULL,
      next_probe_at = ${change.now}, wake_at = now(), wake_size = 0, updated_at = ${change.now}
    WHERE tenant_id = ${key.tenantId}::uuid AND connection_id = ${key.connectionId}::uuid AND breaker = 'half_open'
    RETURNING openings`;
  return rows[0]?.openings ?? null;
}

/**
 * A probe of an open connection failed: once more is added to its openings, and to the probes that failed since it was
 * tried last, unless its state changed meanwhile.
 */
export async function countFailedProbe(
  tx: Tx,
  key: { tenantId: string; connectionId: string },
  now: Date,
): Promise<{ openings: number; failedProbes: number } | null> {
  const rows = await tx.$queryRaw<{ openings: number; failedProbes: number }[]>`
    UPDATE connection_health SET openings = openings + 1, failed_probes = failed_probes + 1, updated_at = ${now}
    WHERE tenant_id = ${key.tenantId}::uuid AND connection_id = ${key.connectionId}::uuid AND breaker = 'open'
    RETURNING openings, failed_probes AS "failedProbes"`;
  return rows[0] ?? null;
}

/** Rules of the tenant that name the connection, with the other connections of each that are enabled and fit its channels. */
const othersOfRules = `
  FROM connection_facts mine
  JOIN rule_facts r ON r.tenant_id = mine.tenant_id AND r.enabled AND EXISTS (
    SELECT FROM jsonb_array_elements(r.tiers) AS tier, jsonb_array_elements(tier) AS member
    WHERE member->>'connectionId' = mine.id::text)
  LEFT JOIN LATERAL (
    SELECT c.id, coalesce(h.breaker, 'closed') AS breaker
    FROM jsonb_array_elements(r.tiers) AS tier, jsonb_array_elements(tier) AS member
    JOIN connection_facts c ON c.tenant_id = mine.tenant_id AND c.id::text = member->>'connectionId' AND c.id <> mine.id
      AND c.enabled AND (r.channel = ANY (c.channels) OR (r.channel IS NULL AND c.channels @> mine.channels))
    LEFT JOIN connection_health h ON h.tenant_id = c.tenant_id AND h.connection_id = c.id) AS other ON true
  WHERE mine.tenant_id = $1::uuid AND mine.id = $2::uuid`;

/** Whether some rule has no other connection that works: its messages wait for this one. */
export async function isAlone(tx: Tx, key: { tenantId: string; connectionId: string }): Promise<boolean> {
  const rows = await tx.$queryRawUnsafe<{ alone: boolean }[]>(
    `SELECT coalesce(bool_or(alone), false) AS alone FROM (
       SELECT coalesce(bool_and(other.breaker = 'open'), true) AS alone ${othersOfRules} GROUP BY r.id) AS rules`,
    key.tenantId,
    key.connectionId,
  );
  return rows[0]?.alone ?? false;
}

/** Connections that are out and stand beside this one in a rule are asked no later than at `by`. */
export async function bringOthersForward(
  tx: Tx,
  key: { tenantId: string; connectionId: string },
  by: Date,
): Promise<number> {
  return tx.$executeRawUnsafe(
    `UPDATE connection_health SET next_probe_at = least(next_probe_at, $3)
     WHERE tenant_id = $1::uuid AND breaker = 'open' AND connection_id IN (SELECT other.id ${othersOfRules})`,
    key.tenantId,
    key.connectionId,
    by,
  );
}

/** When the next look at a connection in trouble is due. */
export async function setNextProbe(
  tx: Tx,
  key: { tenantId: string; connectionId: string },
  at: Date,
): Promise<number> {
  return tx.$executeRaw`
    UPDATE connection_health SET next_probe_at = ${at}
    WHERE tenant_id = ${key.tenantId}::uuid AND connection_id = ${key.connectionId}::uuid AND breaker <> 'closed'`;
}

/** The next probe of an open connection is due at `now`, if it was not before; returns how many that concerns, 0 or 1. */
export async function bringProbeForward(
  tx: Tx,
  key: { tenantId: string; connectionId: string },
  now: Date,
): Promise<number> {
  return tx.$executeRaw`
    UPDATE connection_health SET next_probe_at = least(next_probe_at, ${now})
    WHERE tenant_id = ${key.tenantId}::uuid AND connection_id = ${key.connectionId}::uuid AND breaker = 'open'`;
}

/** An open connection is tried with messages until `until`; those that wait for it are looked after now. */
export async function setHalfOpen(
  tx: Tx,
  key: { tenantId: string; connectionId: string },
  change: { until: Date; trial: Trial; now: Date },
): Promise<boolean> {
  const changed = await tx.$executeRaw`
    UPDATE connection_health SET breaker = 'half_open', trial = ${change.trial}, failed_probes = 0,
      next_probe_at = ${change.until}, wake_at = now(), wake_size = 0, updated_at = ${change.now}
    WHERE tenant_id = ${key.tenantId}::uuid AND connection_id = ${key.connectionId}::uuid AND breaker = 'open'`;
  return changed > 0;
}

/** Back to work, from the states named; returns since when it had been out, or null when somebody else was quicker. */
export async function setClosed(
  tx: Tx,
  key: { tenantId: string; connectionId: string },
  change: { from: Breaker[]; now: Date },
): Promise<{ since: Date } | null> {
  const rows = await tx.$queryRaw<{ since: Date }[]>`
    UPDATE connection_health h SET breaker = 'closed', since = ${change.now}, reason_code = NULL, reason_detail = NULL,
      next_probe_at = NULL, trial = NULL, failed_probes = 0, wake_at = now(), wake_size = 0, updated_at = ${change.now}
    FROM (SELECT since FROM connection_health
          WHERE tenant_id = ${key.tenantId}::uuid AND connection_id = ${key.connectionId}::uuid
            AND breaker = ANY(${change.from}) FOR UPDATE) AS before
    WHERE h.tenant_id = ${key.tenantId}::uuid AND h.connection_id = ${key.connectionId}::uuid
    RETURNING before.since`;
  return rows[0] ?? null;
}

/** Slow, or no longer: true when that is a change. `settledBefore`: the last change must lie before it. */
export async function setSlow(
  tx: Tx,
  key: { tenantId: string; connectionId: string },
  change: { slow: boolean; now: Date; settledBefore: Date },
): Promise<boolean> {
  const changed = await tx.$executeRaw`
    INSERT INTO connection_health AS h (tenant_id, connection_id, breaker, since, slow, slow_since, updated_at)
    SELECT ${key.tenantId}::uuid, ${key.connectionId}::uuid, 'closed', ${change.now}, true, ${change.now}, ${change.now}
    WHERE ${change.slow} OR EXISTS (SELECT FROM connection_health
      WHERE tenant_id = ${key.tenantId}::uuid AND connection_id = ${key.connectionId}::uuid)
    ON CONFLICT (tenant_id, connection_id) DO UPDATE SET slow = ${change.slow}, slow_since = ${change.now}, updated_at = ${change.now}
    WHERE h.slow <> ${change.slow} AND (h.slow_since IS NULL OR h.slow_since <= ${change.settledBefore})`;
  return changed > 0;
}

/** A connection that is gone or switched off is nobody's trouble any more; its incidents stay, as history. */
export async function deleteHealth(
  tx: Pick<Tx, "connectionHealth">,
  key: { tenantId: string; connectionId: string },
): Promise<void> {
  await tx.connectionHealth.deleteMany({ where: key });
}

/** Of each connection, so many incidents are kept: what happened before them nobody reads. */
const keptIncidents = 500;

export async function insertIncident(
  tx: Tx,
  key: { tenantId: string; connectionId: string },
  incident: { kind: IncidentKind; code: string | null; detail: string | null; at: Date },
): Promise<void> {
  await tx.connectionIncident.create({ data: { ...key, id: newId(), ...incident } });
  await tx.$executeRaw`
    DELETE FROM connection_incidents
    WHERE tenant_id = ${key.tenantId}::uuid AND connection_id = ${key.connectionId}::uuid AND id <= (
      SELECT id FROM connection_incidents
      WHERE tenant_id = ${key.tenantId}::uuid AND connection_id = ${key.connectionId}::uuid
      ORDER BY id DESC OFFSET ${keptIncidents} LIMIT 1)`;
}

/** As much of one outage as is told: a provider may word the same failure differently each time. */
const toldOfOutage = 50;

/**
 * Writes an incident unless one of the same outage says the same: a connection that fails as it did before is no news,
 * however often it is tried.
 */
export async function insertIncidentIfNews(
  tx: Tx,
  key: { tenantId: string; connectionId: string },
  incident: { kind: IncidentKind; code: string | null; detail: string | null; at: Date },
): Promise<void> {
  const newest = await tx.connectionIncident.findMany({
    where: key,
    orderBy: { id: "desc" },
    select: { kind: true, code: true, detail: true },
    take: toldOfOutage,
  });
  const ended = newest.findIndex(({ kind }) => kind === "closed");
  const outage = ended < 0 ? newest : newest.slice(0, ended);
  const told = outage.some(
    ({ kind, code, detail }) =>
      kind === incident.kind && code === incident.code && detail === incident.detail,
  );
  if (!told && outage.length < toldOfOutage) await insertIncident(tx, key, incident);
}

/** Takes connections of any tenant whose probe is due, for `leaseMs`: nobody else gets them meanwhile (worker's role). */
export async function claimProbes(
  db: Db,
  options: { now: Date; until: Date; limit: number },
): Promise<(HealthRow & { tenantId: string })[]> {
  const result = await db.pool.query<HealthRow & { tenantId: string }>(
    `UPDATE connection_health h SET next_probe_at = $2
     FROM (SELECT tenant_id, connection_id FROM connection_health WHERE breaker <> 'closed' AND next_probe_at <= $1
           ORDER BY next_probe_at LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED) AS due
     WHERE h.tenant_id = due.tenant_id AND h.connection_id = due.connection_id
     RETURNING h.tenant_id AS "tenantId", h.connection_id AS "connectionId", h.breaker, h.since,
       h.reason_code AS "reasonCode", h.reason_detail AS "reasonDetail", h.openings, h.next_probe_at AS "nextProbeAt",
       h.trial, h.slow, h.slow_since AS "slowSince"`,
    [options.now, options.until, options.limit],
  );
  return result.rows;
}

/** How many connections of all tenants are not closed, or slow, by adapter (worker's role). */
export async function countTroubled(
  db: Db,
): Promise<{ adapter: string; state: "open" | "half_open" | "slow"; count: number }[]> {
  const result = await db.pool.query<{
    adapter: string;
    state: "open" | "half_open" | "slow";
    count: number;
  }>(
    `SELECT c.adapter, s.state, count(*)::int AS count
     FROM connection_health h
     JOIN connection_facts c ON c.tenant_id = h.tenant_id AND c.id = h.connection_id
     CROSS JOIN LATERAL (VALUES (h.breaker), (CASE WHEN h.slow THEN 'slow' END)) AS s(state)
     WHERE s.state IN ('open', 'half_open', 'slow') GROUP BY 1, 2`,
  );
  return result.rows;
}

/** Where enabled rules name a connection: environment and, when the rule is for one only, application. */
export function selectUses(
  tx: Tx,
  key: { tenantId: string; connectionId: string },
): Promise<{ environmentId: string; applicationId: string | null }[]> {
  return tx.$queryRaw<{ environmentId: string; applicationId: string | null }[]>`
    SELECT DISTINCT r.environment_id AS "environmentId", r.application_id AS "applicationId" FROM rule_facts r
    WHERE r.tenant_id = ${key.tenantId}::uuid AND r.enabled AND EXISTS (
      SELECT FROM jsonb_array_elements(r.tiers) AS tier, jsonb_array_elements(tier) AS member
      WHERE member->>'connectionId' = ${key.connectionId})
    LIMIT 1000`;
}

export async function selectApplicationsOfUnit(tx: Tx, tenantId: string, unitId: string): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM application_facts WHERE tenant_id = ${tenantId}::uuid AND unit_id = ${unitId}::uuid LIMIT 1000`;
  return rows.map((row) => row.id);
}
