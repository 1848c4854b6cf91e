/** How connections are doing. With routing rules (health) or waiting messages (sending) it is read and changed through the view connection_states. */
import { ttlCache } from "../kernel/cache.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import type { Breaker, Trial } from "./schemas.ts";

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

/** The tenant's rows; a connection that never had trouble has none. */
function selectHealth(ctx: Pick<Ctx, "db" | "tenantId">): Promise<HealthRow[]> {
  return queryInTenant<HealthRow>(
    ctx,
    `SELECT ${columns} FROM connection_health WHERE tenant_id = $1 LIMIT 1000`,
    [ctx.tenantId],
  );
}

export type ConnectionHealth = Omit<HealthRow, "connectionId">;

const byTenant = ttlCache<Map<string, ConnectionHealth>>({
  name: "health",
  ttlMs: 1_000,
  max: 5_000,
  ahead: true,
});

/**
 * The health of the tenant's connections by id, at most a second old. A connection without an entry is closed: it
 * works.
 */
export async function tenantHealth(
  ctx: Pick<Ctx, "db" | "tenantId">,
): Promise<Map<string, ConnectionHealth>> {
  const health = await byTenant.get(ctx.tenantId, async () => {
    const rows = await selectHealth(ctx);
    return new Map(rows.map(({ connectionId, ...row }) => [connectionId, row]));
  });
  return health ?? new Map<string, ConnectionHealth>();
}

/** Makes this process see its own change at once. */
export function forgetHealth(tenantId: string): void {
  byTenant.forget(tenantId);
}

/**
 * Opens a closed connection, unless it was closed again after the calls that count against it had begun. Of several
 * processes that try at once, one succeeds and gets the number of openings in a row, the others null.
 */
export async function setOpen(
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

/** Opens a half-open connection again; null when another process was faster. `reason` null: keeps the one it had. */
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
 * A probe of an open connection failed: counts one more opening and one more failed probe since the last trial, unless
 * its state has changed.
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

/** Sets when a connection in trouble is probed next. */
export async function setNextProbe(
  tx: Tx,
  key: { tenantId: string; connectionId: string },
  at: Date,
): Promise<number> {
  return tx.$executeRaw`
    UPDATE connection_health SET next_probe_at = ${at}
    WHERE tenant_id = ${key.tenantId}::uuid AND connection_id = ${key.connectionId}::uuid AND breaker <> 'closed'`;
}

/**
 * Schedules a probe of an open connection within a second or two, in the transaction of a change that may have fixed
 * it, such as new credentials. Returns whether it is open.
 */
export async function probeSoon(
  ctx: Pick<Ctx, "tenantId" | "now">,
  tx: Tx,
  connectionId: string,
): Promise<boolean> {
  const now = ctx.now();
  const changed = await tx.$executeRaw`
    UPDATE connection_health SET next_probe_at = least(next_probe_at, ${now})
    WHERE tenant_id = ${ctx.tenantId}::uuid AND connection_id = ${connectionId}::uuid AND breaker = 'open'`;
  return changed > 0;
}

/** Tries an open connection with messages until `until`; messages waiting for it are checked now. */
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

/** Closes it, from the given states; returns since when it had been out, or null when another process was faster. */
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

/** Sets slow or not slow; true when that is a change. `settledBefore`: the last change must be older. */
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

/** Deletes the state of a connection that is deleted or switched off; its incidents stay, as history. */
export async function deleteHealth(
  tx: Pick<Tx, "connectionHealth">,
  key: { tenantId: string; connectionId: string },
): Promise<void> {
  await tx.connectionHealth.deleteMany({ where: key });
}

/**
 * Claims connections of any tenant whose probe is due for `leaseMs`, so that no other process probes them (worker's
 * role).
 */
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
