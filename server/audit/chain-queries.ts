import type pg from "pg";
import { camelRows } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import type { AuditEvent } from "./audit-event.ts";
import type { Entry, Origin } from "./chain.ts";
import type { Head } from "./checkpoint.ts";
import type { Problem } from "./verify-chain.ts";

type Queries = Pick<pg.Pool, "query">;

/** The columns of an event, `e`, as eventOf takes them. */
export const eventColumns = `e.tenant_id AS "tenantId", e.id, e.at, e.actor_type AS "actorType", e.actor_id AS "actorId",
  e.actor_name AS "actorName", e.action, e.target_type AS "targetType", e.target_id AS "targetId", e.unit_id AS "unitId",
  e.environment_id AS "environmentId", e.request_id AS "requestId", e.data`;

export type EventRow = Omit<AuditEvent, "at"> & { at: Date };

export function eventOf(row: EventRow): AuditEvent {
  return {
    tenantId: row.tenantId,
    id: row.id,
    at: row.at.toISOString(),
    actorType: row.actorType,
    actorId: row.actorId,
    actorName: row.actorName,
    action: row.action,
    targetType: row.targetType,
    targetId: row.targetId,
    unitId: row.unitId,
    environmentId: row.environmentId,
    requestId: row.requestId,
    data: row.data,
  };
}

/** The rows of a statement, with column names in camelCase. */
async function ask<Row>(client: Queries, text: string, values: unknown[] = []): Promise<Row[]> {
  return camelRows<Row>(await client.query(text, values));
}

/** Until the transaction ends, nobody else does this work; false: somebody is at it. */
export async function takeTurn(client: Queries, work: "chain" | "checkpoint"): Promise<boolean> {
  const rows = await ask<{ taken: boolean }>(
    client,
    "SELECT pg_try_advisory_xact_lock(hashtext($1)) AS taken",
    [`tidings.audit.${work}`],
  );
  return rows[0]?.taken === true;
}

export async function insertChain(tx: Tx, tenantId: string, key: Buffer): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO audit_chains (tenant_id, key) VALUES (${tenantId}::uuid, ${Uint8Array.from(key)}) ON CONFLICT DO NOTHING`;
}

export interface Progress {
  xid: string;
  eventId: string;
  signedSince: Date;
  /** All transactions before this one have ended. */
  horizon: string;
  /** No transaction has had this number yet. */
  next: string;
}

export async function selectProgress(client: Queries): Promise<Progress> {
  const rows = await ask<Progress>(
    client,
    `SELECT p.xid, p.event_id, p.signed_since, txid_snapshot_xmin(s) AS horizon, txid_snapshot_xmax(s) AS next
     FROM audit_progress p, txid_current_snapshot() AS s WHERE p.id = 1`,
  );
  const [row] = rows;
  if (!row) throw new Error("audit_progress has no row");
  return row;
}

export async function updateProgress(client: Queries, xid: string, eventId: string): Promise<void> {
  await client.query("UPDATE audit_progress SET xid = $1, event_id = $2 WHERE id = 1", [xid, eventId]);
}

export interface UnchainedRow extends EventRow {
  mac: Buffer | null;
  xid: string;
}

const unchained = `NOT EXISTS (SELECT FROM audit_links l WHERE l.tenant_id = e.tenant_id AND l.event_id = e.id)`;

/** Events after the progress whose transaction, and all before it, have ended, in the order of transactions. */
export async function selectUnchained(
  client: Queries,
  progress: Progress,
  limit: number,
): Promise<UnchainedRow[]> {
  const rows = await ask<UnchainedRow>(
    client,
    `SELECT ${eventColumns}, e.mac, e.xid FROM audit_events e
     WHERE (e.xid, e.id) > ($1::bigint, $2::uuid) AND e.xid < $3::bigint AND ${unchained}
     ORDER BY e.xid, e.id LIMIT $4`,
    [progress.xid, progress.eventId, progress.horizon, limit],
  );
  return rows;
}

/** Events of any transaction that are in no chain: in a database that was restored, whose numbers began anew. */
export async function selectLeftOver(client: Queries, limit: number): Promise<UnchainedRow[]> {
  const rows = await ask<UnchainedRow>(
    client,
    `SELECT ${eventColumns}, e.mac, e.xid FROM audit_events e WHERE ${unchained} ORDER BY e.id LIMIT $1`,
    [limit],
  );
  return rows;
}

export interface ChainRow {
  tenantId: string;
  key: Buffer;
  dataKey: Buffer;
  purgedSequence: number;
  purgedHash: Buffer | null;
  purgedAt: Date | null;
  purgedSignature: string | null;
  checkedSequence: number;
  checkedEventId: string | null;
  fullCheckAt: Date | null;
  verifiedSequence: number;
  retentionMonths: number;
  failure: (Problem & { foundAt: string }) | null;
  /** Of the last entry; null when there is none. */
  headSequence: number | null;
  headHash: Buffer | null;
}

const chainSelect = `
  SELECT c.tenant_id, c.key, t.data_key, c.purged_sequence::float8, c.purged_hash, c.purged_at, c.purged_signature,
    c.checked_sequence::float8, c.checked_event_id, c.full_check_at, c.verified_sequence::float8, c.retention_months,
    c.failure, h.sequence::float8 AS head_sequence, h.hash AS head_hash
  FROM audit_chains c JOIN tenant_facts t ON t.id = c.tenant_id
  LEFT JOIN LATERAL (SELECT l.sequence, l.hash FROM audit_links l WHERE l.tenant_id = c.tenant_id
                     ORDER BY l.sequence DESC LIMIT 1) AS h ON true`;

export async function selectChains(client: Queries, tenantIds: readonly string[]): Promise<ChainRow[]> {
  const rows = await ask<ChainRow>(client, `${chainSelect} WHERE c.tenant_id = ANY ($1::uuid[])`, [
    tenantIds,
  ]);
  return rows;
}

/** Those that are to be looked at: longest not verified first, leaving out those that nothing is due for. */
export async function selectChainsToVerify(client: Queries, now: Date, limit: number): Promise<ChainRow[]> {
  const rows = await ask<ChainRow>(
    client,
    `${chainSelect}
     WHERE c.verified_at IS NULL OR c.failure->>'kind' <> 'foreign' OR c.full_check_at IS NULL
       OR c.full_check_at < $1::timestamptz - interval '1 day'
       OR coalesce(h.sequence, c.purged_sequence) <> c.verified_sequence OR c.checked_sequence <> c.verified_sequence
     ORDER BY c.verified_at NULLS FIRST LIMIT $2`,
    [now, limit],
  );
  return rows;
}

/** Of these tenants those that have no chain any more. */
export async function selectGone(client: Queries, tenantIds: readonly string[]): Promise<string[]> {
  const rows = await ask<{ id: string }>(
    client,
    `SELECT id FROM unnest($1::uuid[]) AS t(id) WHERE NOT EXISTS (SELECT FROM audit_chains c WHERE c.tenant_id = t.id)`,
    [tenantIds],
  );
  return rows.map(({ id }) => id);
}

/** A page of tenants that have a chain, in the order of their ids. */
export async function selectChainsAfter(
  client: Queries,
  after: string | null,
  limit: number,
): Promise<ChainRow[]> {
  const rows = await ask<ChainRow>(
    client,
    `${chainSelect} WHERE $1::uuid IS NULL OR c.tenant_id > $1::uuid ORDER BY c.tenant_id LIMIT $2`,
    [after, limit],
  );
  return rows;
}

export async function insertLinks(
  client: Queries,
  links: readonly { tenantId: string; sequence: number; eventId: string; origin: Origin; hash: string }[],
): Promise<void> {
  await client.query(
    `INSERT INTO audit_links (tenant_id, sequence, event_id, origin, hash)
     SELECT tenant_id, sequence, event_id, origin, decode(hash, 'hex')
     FROM unnest($1::uuid[], $2::bigint[], $3::uuid[], $4::text[], $5::text[]) AS l(tenant_id, sequence, event_id, origin, hash)`,
    [
      links.map((link) => link.tenantId),
      links.map((link) => link.sequence),
      links.map((link) => link.eventId),
      links.map((link) => link.origin),
      links.map((link) => link.hash),
    ],
  );
}

type EntryRow = { [Name in keyof EventRow]: EventRow[Name] | null } & {
  sequence: number;
  origin: Origin;
  hash: Buffer;
};

/** Entries of a chain after one, oldest first. */
export async function selectEntries(
  client: Queries,
  tenantId: string,
  after: number,
  limit: number,
): Promise<Entry[]> {
  const rows = await ask<EntryRow>(
    client,
    `SELECT l.sequence::float8, l.origin, l.hash, ${eventColumns}
     FROM (SELECT * FROM audit_links WHERE tenant_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3) AS l
     LEFT JOIN audit_events e ON e.tenant_id = l.tenant_id AND e.id = l.event_id ORDER BY l.sequence`,
    [tenantId, after, limit],
  );
  return rows.map(({ sequence, origin, hash, ...row }) => ({
    sequence,
    origin,
    hash: hash.toString("hex"),
    event: row.id === null ? null : eventOf(row as EventRow),
  }));
}

export async function selectLinkHash(
  client: Queries,
  tenantId: string,
  sequence: number,
): Promise<string | undefined> {
  const rows = await ask<{ hash: Buffer }>(
    client,
    "SELECT hash FROM audit_links WHERE tenant_id = $1 AND sequence = $2",
    [tenantId, sequence],
  );
  return rows[0]?.hash.toString("hex");
}

/**
 * Goes on through a tenant's events after one: the last that was looked at, and the first that is in no chain though it
 * should be, because the chain is past its transaction or its transaction has never been.
 */
export async function selectUnlinked(
  client: Queries,
  tenantId: string,
  after: string | null,
  limit: number,
  progress: Progress,
): Promise<{ count: number; last: string | null; stray: string | null }> {
  const rows = await ask<{ count: number; last: string | null; stray: string | null }>(
    client,
    `WITH page AS (
       SELECT e.id, e.xid FROM audit_events e WHERE e.tenant_id = $1 AND ($2::uuid IS NULL OR e.id > $2::uuid)
       ORDER BY e.id LIMIT $3
     )
     SELECT count(*)::int AS count, (SELECT id FROM page ORDER BY id DESC LIMIT 1) AS last,
       (SELECT p.id FROM page p WHERE ((p.xid, p.id) <= ($4::bigint, $5::uuid) OR p.xid >= $6::bigint)
          AND NOT EXISTS (SELECT FROM audit_links l WHERE l.tenant_id = $1 AND l.event_id = p.id)
        ORDER BY p.id LIMIT 1) AS stray
     FROM page`,
    [tenantId, after, limit, progress.xid, progress.eventId, progress.next],
  );
  const [row] = rows;
  return row ?? { count: 0, last: null, stray: null };
}

/** How far a verification has come. `verified`: the whole chain was looked at up to its head. */
export async function updateVerification(
  client: Queries,
  tenantId: string,
  state: {
    checkedSequence: number;
    checkedEventId: string | null;
    fullCheckAt: Date | null;
    verified: { sequence: number; at: Date } | null;
    failure: (Problem & { foundAt: string }) | null;
  },
): Promise<void> {
  await client.query(
    `UPDATE audit_chains SET checked_sequence = $2, checked_event_id = $3, full_check_at = $4,
       verified_sequence = coalesce($5, verified_sequence), verified_at = coalesce($6, verified_at), failure = $7
     WHERE tenant_id = $1`,
    [
      tenantId,
      state.checkedSequence,
      state.checkedEventId,
      state.fullCheckAt,
      state.verified?.sequence ?? null,
      state.verified?.at ?? null,
      state.failure === null ? null : JSON.stringify(state.failure),
    ],
  );
}

/** Heads of chains, in the order of tenants. */
export async function selectHeads(client: Queries, after: string | null, limit: number): Promise<Head[]> {
  const rows = await ask<{ tenantId: string; sequence: number; hash: Buffer }>(
    client,
    `SELECT c.tenant_id, coalesce(h.sequence, c.purged_sequence)::float8 AS sequence, coalesce(h.hash, c.purged_hash) AS hash
     FROM audit_chains c
     LEFT JOIN LATERAL (SELECT l.sequence, l.hash FROM audit_links l WHERE l.tenant_id = c.tenant_id
                        ORDER BY l.sequence DESC LIMIT 1) AS h ON true
     WHERE ($1::uuid IS NULL OR c.tenant_id > $1::uuid) AND (h.sequence IS NOT NULL OR c.purged_sequence > 0)
     ORDER BY c.tenant_id LIMIT $2`,
    [after, limit],
  );
  return rows.map((row) => ({
    tenantId: row.tenantId,
    sequence: row.sequence,
    hash: row.hash.toString("hex"),
  }));
}

export interface CheckpointRow {
  number: number;
  at: Date;
  full: boolean;
  line: string;
  filedAt: Date | null;
}

/** Checkpoints after one, oldest first; from the newest complete one when none is named. */
export async function selectCheckpoints(
  client: Queries,
  after: number | null,
  limit: number,
): Promise<CheckpointRow[]> {
  const rows = await ask<CheckpointRow>(
    client,
    `SELECT number::float8, at, "full", line, filed_at FROM audit_checkpoints
     WHERE number > coalesce($1::bigint, (SELECT max(number) - 1 FROM audit_checkpoints WHERE "full"), 0)
     ORDER BY number LIMIT $2`,
    [after, limit],
  );
  return rows;
}

export async function selectNewestCheckpoint(client: Queries): Promise<CheckpointRow | undefined> {
  const rows = await ask<CheckpointRow>(
    client,
    `SELECT number::float8, at, "full", line, filed_at FROM audit_checkpoints ORDER BY number DESC LIMIT 1`,
  );
  return rows[0];
}

export async function selectUnfiled(client: Queries, limit: number): Promise<CheckpointRow[]> {
  const rows = await ask<CheckpointRow>(
    client,
    `SELECT number::float8, at, "full", line, filed_at FROM audit_checkpoints WHERE filed_at IS NULL ORDER BY number LIMIT $1`,
    [limit],
  );
  return rows;
}

export async function insertCheckpoint(
  client: Queries,
  checkpoint: { number: number; at: Date; full: boolean; line: string },
): Promise<void> {
  await client.query('INSERT INTO audit_checkpoints (number, at, "full", line) VALUES ($1, $2, $3, $4)', [
    checkpoint.number,
    checkpoint.at,
    checkpoint.full,
    checkpoint.line,
  ]);
}

export async function markFiled(client: Queries, numbers: readonly number[]): Promise<void> {
  await client.query("UPDATE audit_checkpoints SET filed_at = now() WHERE number = ANY ($1::bigint[])", [
    numbers,
  ]);
}

export async function selectSigner(
  client: Queries,
): Promise<{ publicKey: string; privateKey: Buffer } | undefined> {
  const rows = await ask<{ publicKey: string; privateKey: Buffer }>(
    client,
    "SELECT public_key, private_key FROM audit_signers WHERE id = 1",
  );
  return rows[0];
}

export async function insertSigner(client: Queries, publicKey: string, privateKey: Buffer): Promise<void> {
  await client.query(
    "INSERT INTO audit_signers (id, public_key, private_key) VALUES (1, $1, $2) ON CONFLICT DO NOTHING",
    [publicKey, privateKey],
  );
}

/** As the owner: the roles may not. */
export async function updateSigner(owner: Queries, privateKey: Buffer): Promise<void> {
  await owner.query("UPDATE audit_signers SET private_key = $1 WHERE id = 1", [privateKey]);
}

/** How many of a chain's oldest entries, at most `limit`, are all older than the tenant keeps them, and the last one's hash. */
export async function selectPurgeable(
  client: Queries,
  tenantId: string,
  after: number,
  limit: number,
): Promise<{ sequence: number; hash: string } | undefined> {
  const rows = await ask<{ sequence: number; hash: Buffer }>(
    client,
    `WITH page AS (
       SELECT l.sequence, l.hash, e.at < now() - make_interval(months => c.retention_months) AS old
       FROM audit_chains c JOIN audit_links l ON l.tenant_id = c.tenant_id AND l.sequence > $2 AND l.sequence <= $2 + $3
       JOIN audit_events e ON e.tenant_id = l.tenant_id AND e.id = l.event_id WHERE c.tenant_id = $1
     )
     SELECT sequence::float8, hash FROM page
     WHERE sequence < coalesce((SELECT min(sequence) FROM page WHERE NOT old), 9e15) ORDER BY sequence DESC LIMIT 1`,
    [tenantId, after, limit],
  );
  const [row] = rows;
  return row && { sequence: row.sequence, hash: row.hash.toString("hex") };
}

/** Tenants whose oldest entry is older than they keep it. */
export async function selectTenantsToPurge(client: Queries): Promise<ChainRow[]> {
  const rows = await ask<ChainRow>(
    client,
    `${chainSelect}
     WHERE coalesce(c.failure->>'kind', 'foreign') = 'foreign' AND EXISTS (
       SELECT FROM audit_links l JOIN audit_events e ON e.tenant_id = l.tenant_id AND e.id = l.event_id
       WHERE l.tenant_id = c.tenant_id AND l.sequence = c.purged_sequence + 1
         AND e.at < now() - make_interval(months => c.retention_months))
     ORDER BY random() LIMIT 1000`,
  );
  return rows;
}

export async function callPurge(
  client: Queries,
  note: { tenantId: string; sequence: number; hash: string; at: string },
  signature: string,
): Promise<number> {
  const rows = await ask<{ count: number }>(
    client,
    "SELECT purge_audit($1, $2, decode($3, 'hex'), $4, $5) AS count",
    [note.tenantId, note.sequence, note.hash, note.at, signature],
  );
  return rows[0]?.count ?? 0;
}

export async function callPurgeCheckpoints(client: Queries): Promise<void> {
  await client.query("SELECT purge_audit_checkpoints()");
}

/** The organisation of a short name. */
export async function selectTenantOf(client: Queries, slug: string): Promise<string | null> {
  const rows = await ask<{ id: string }>(client, "SELECT id FROM tenant_facts WHERE slug = $1", [slug]);
  return rows[0]?.id ?? null;
}
