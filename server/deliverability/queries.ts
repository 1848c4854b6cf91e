import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import { mailThresholds } from "./vocabulary.ts";
import type { DomainCounts, DomainGroup, MailCause, MailLevel } from "./schemas.ts";

type Reader = Pick<Ctx, "db" | "tenantId">;

/**
 * Counts of the window by domain group, of the organisation that `tenant` names; folded ones, which lag by seconds. Days are those
 * of UTC, so that there are seven rows of each key to add up and not as many as a week has hours; each is named, so that the index
 * leads to it and the rows of a day are not gone through for each key.
 */
const countsSql = (tenant: string) => `
  SELECT d.domain_group, sum(d.delivered)::float8 AS delivered, sum(d.final)::float8 AS unconfirmed,
    sum(d.bounced)::float8 AS bounced, sum(d.complained)::float8 AS complained
  FROM mail_domain_counts d JOIN environment_facts e ON e.tenant_id = d.tenant_id AND e.id = d.environment_id
  WHERE d.tenant_id = ${tenant} AND d.day = ANY (ARRAY(
      SELECT date_trunc('day', now(), 'UTC') - make_interval(days => n) FROM generate_series(0, ${String(mailThresholds.windowDays - 1)}) n))
    AND e.kind <> 'sandbox'
  GROUP BY 1`;

const { leastMessages: least, complaints, bounces } = mailThresholds;
const over = (c: string, which: "warn" | "hold") => ({
  complaints: `(${c}.delivered >= ${String(least)} AND ${c}.complained >= ${String(complaints[which])} * ${c}.delivered)`,
  bounces: `(${c}.delivered + ${c}.unconfirmed + ${c}.bounced >= ${String(least)}
    AND ${c}.bounced >= ${String(bounces[which])} * (${c}.delivered + ${c}.unconfirmed + ${c}.bounced))`,
});
/** The rule: the level of a row of counts, and what it follows from. */
const hold = over("c", "hold");
const warn = over("c", "warn");
const levelSql = `CASE WHEN ${hold.complaints} OR ${hold.bounces} THEN 'held' WHEN ${warn.complaints} OR ${warn.bounces} THEN 'warned' ELSE 'fine' END`;
const causeSql = `CASE WHEN ${hold.complaints} THEN 'complaints' WHEN ${hold.bounces} THEN 'bounces'
  WHEN ${warn.complaints} THEN 'complaints' WHEN ${warn.bounces} THEN 'bounces' END`;

/** A standing that its figures no longer support, or a hold that has another cause by now. */
export interface Change extends DomainCounts {
  tenantId: string;
  group: DomainGroup;
  was: MailLevel;
  level: MailLevel;
  cause: MailCause | null;
}

/** Whose level is another by now, of all organisations (worker's role): at most `limit`, new holds first. */
export async function selectChanges(db: Db, limit: number): Promise<Change[]> {
  const { rows } = await db.pool.query<Change>(
    `WITH counts AS (
       SELECT t.id AS tenant_id, c.* FROM tenant_facts t CROSS JOIN LATERAL (${countsSql("t.id")}) c
     ), judged AS (
       SELECT coalesce(c.tenant_id, s.tenant_id) AS tenant_id, coalesce(c.domain_group, s.domain_group) AS domain_group,
         coalesce(c.delivered, 0) AS delivered, coalesce(c.unconfirmed, 0) AS unconfirmed, coalesce(c.bounced, 0) AS bounced, coalesce(c.complained, 0) AS complained,
         coalesce(s.level, 'fine') AS was, s.cause AS was_cause,
         CASE WHEN ${levelSql} = 'held' AND s.accepted_until > now() THEN 'warned'
           -- Other mails lower a rate within minutes, complaints take days: what holds lets go at the line of the warning only.
           WHEN ${levelSql} = 'warned' AND s.level = 'held' THEN 'held' ELSE ${levelSql} END AS level,
         ${causeSql} AS cause
       FROM counts c FULL JOIN mail_standings s ON s.tenant_id = c.tenant_id AND s.domain_group = c.domain_group
     )
     SELECT tenant_id AS "tenantId", domain_group AS "group", delivered, unconfirmed, bounced, complained, was, level, cause
     FROM judged WHERE level <> was OR (level = 'held' AND cause <> was_cause) ORDER BY level = 'held' AND was <> 'held' DESC, random() LIMIT $1`,
    [limit],
  );
  return rows;
}

/** Enters a change, unless something else was entered meanwhile: then null. */
export async function upsertStanding(
  tx: Tx,
  change: Change & { id: string; at: Date },
): Promise<{ id: string; warned: boolean } | null> {
  const { tenantId, group, was, level, cause, delivered, unconfirmed, bounced, complained, id, at } = change;
  // People are told of a warning once a day at most.
  const rows = await tx.$queryRaw<{ id: string; warned: boolean }[]>`
    INSERT INTO mail_standings AS s (tenant_id, domain_group, id, level, cause, since, delivered, unconfirmed, bounced, complained, warned_at)
    VALUES (${tenantId}::uuid, ${group}, ${id}::uuid, ${level}, ${cause}, ${at}, ${delivered}, ${unconfirmed}, ${bounced}, ${complained},
      CASE WHEN ${level} = 'warned' THEN ${at}::timestamptz END)
    ON CONFLICT (tenant_id, domain_group) DO UPDATE SET level = excluded.level, cause = excluded.cause,
      since = CASE WHEN s.level = excluded.level THEN s.since ELSE excluded.since END,
      delivered = excluded.delivered, unconfirmed = excluded.unconfirmed, bounced = excluded.bounced, complained = excluded.complained,
      warned_at = CASE WHEN s.level = 'fine' AND (s.warned_at IS NULL OR s.warned_at < excluded.since - interval '1 day')
        THEN excluded.warned_at ELSE s.warned_at END,
      resumed_at = CASE WHEN excluded.level = 'held' THEN NULL WHEN s.level = 'held' THEN excluded.since ELSE s.resumed_at END
    WHERE s.level = ${was} AND (excluded.level <> 'held' OR s.accepted_until IS NULL OR s.accepted_until <= excluded.since)
    RETURNING s.id, coalesce(s.warned_at = s.since, false) AS warned`;
  return rows[0] ?? null;
}

/** Ends a hold because a person says so; null when there is none. */
export async function releaseStanding(
  tx: Tx,
  tenantId: string,
  release: { group: DomainGroup; at: Date; acceptedUntil: Date; byName: string; note: string },
): Promise<(DomainCounts & { id: string; cause: MailCause | null; since: Date }) | null> {
  const { group, at, acceptedUntil, byName, note } = release;
  const rows = await tx.$queryRaw<(DomainCounts & { id: string; cause: MailCause | null; since: Date })[]>`
    UPDATE mail_standings s SET level = 'warned', since = ${at}, accepted_until = ${acceptedUntil}, released_at = ${at},
      released_by_name = ${byName}, release_note = ${note}, resumed_at = ${at}
    FROM (SELECT * FROM mail_standings WHERE tenant_id = ${tenantId}::uuid AND domain_group = ${group} FOR UPDATE) was
    WHERE s.tenant_id = was.tenant_id AND s.domain_group = was.domain_group AND was.level = 'held'
    RETURNING s.id, s.cause, was.since, s.delivered, s.unconfirmed, s.bounced, s.complained`;
  return rows[0] ?? null;
}

export interface StandingRow extends DomainCounts {
  group: DomainGroup;
  level: MailLevel;
  cause: MailCause | null;
  since: Date | null;
  acceptedUntil: Date | null;
  releasedAt: Date | null;
  releasedByName: string | null;
  releaseNote: string | null;
}

/** The figures of the window and the standing of each group that has either. */
export function selectStandings(ctx: Reader): Promise<StandingRow[]> {
  return queryInTenant<StandingRow>(
    ctx,
    `WITH c AS (${countsSql("$1")}), s AS (SELECT * FROM mail_standings WHERE tenant_id = $1)
     SELECT coalesce(c.domain_group, s.domain_group) AS "group", coalesce(c.delivered, 0) AS delivered,
       coalesce(c.unconfirmed, 0) AS unconfirmed, coalesce(c.bounced, 0) AS bounced, coalesce(c.complained, 0) AS complained, coalesce(s.level, 'fine') AS level, s.cause,
       s.since, s.accepted_until AS "acceptedUntil", s.released_at AS "releasedAt", s.released_by_name AS "releasedByName",
       s.release_note AS "releaseNote"
     FROM c FULL JOIN s ON s.domain_group = c.domain_group`,
    [ctx.tenantId],
  );
}

/** A hold that is in force. */
export interface MailHold extends DomainCounts {
  group: DomainGroup;
  cause: MailCause;
}

export function selectHolds(ctx: Reader): Promise<MailHold[]> {
  return queryInTenant<MailHold>(
    ctx,
    `SELECT domain_group AS "group", cause, delivered, unconfirmed, bounced, complained FROM mail_standings
     WHERE tenant_id = $1 AND level = 'held'`,
    [ctx.tenantId],
  );
}

/** Which groups addresses belong to, in their order. */
export async function selectGroups(db: Db, addresses: readonly string[]): Promise<DomainGroup[]> {
  const { rows } = await db.pool.query<{ group: DomainGroup }>({
    name: "mail_domain_groups",
    text: `SELECT mail_domain_group('email', a.address) AS "group" FROM unnest($1::text[]) WITH ORDINALITY AS a(address, position)
           ORDER BY a.position`,
    values: [addresses],
  });
  return rows.map(({ group }) => group);
}

/** A hold that has ended. `settled`: so long ago that no process puts a message off because of it any more. */
export interface EndedHold {
  tenantId: string;
  group: DomainGroup;
  resumedAt: Date;
  settled: boolean;
}

/** Holds that ended so many seconds ago and whose messages may still be put off (worker's role). */
export async function selectEnded(db: Db, seconds: number): Promise<EndedHold[]> {
  const { rows } = await db.pool.query<EndedHold>(
    `SELECT tenant_id AS "tenantId", domain_group AS "group", resumed_at AS "resumedAt",
       resumed_at < now() - interval '1 minute' AS settled
     FROM mail_standings WHERE resumed_at < now() - make_interval(secs => $1) ORDER BY random() LIMIT 20`,
    [seconds],
  );
  return rows;
}

/** All messages of a hold were fetched back, unless another began or ended meanwhile. */
export async function clearEnded(
  db: Db,
  ended: Pick<EndedHold, "tenantId" | "group" | "resumedAt">,
): Promise<void> {
  await db.pool.query(
    "UPDATE mail_standings SET resumed_at = NULL WHERE tenant_id = $1 AND domain_group = $2 AND resumed_at = $3",
    [ended.tenantId, ended.group, ended.resumedAt],
  );
}

/** How many marketing mails wait for each hold to end, of one organisation: up to `limit` of all together. */
export async function selectWaiting(ctx: Reader, limit: number): Promise<Map<DomainGroup, number>> {
  const rows = await queryInTenant<{ group: DomainGroup; waiting: number }>(
    ctx,
    `SELECT mail_domain_group(w.channel, w.recipient) AS "group", count(*)::int AS waiting FROM (
       SELECT channel, recipient FROM waiting_mails WHERE tenant_id = $1 AND due_at >= now() LIMIT $2) w
     GROUP BY 1`,
    [ctx.tenantId, limit],
  );
  return new Map(rows.map(({ group, waiting }) => [group, waiting]));
}
