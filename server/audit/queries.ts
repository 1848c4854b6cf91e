import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { idFloor, isUuid } from "../kernel/ids.ts";
import type { Scope } from "../operations/authorize.ts";
import { eventColumns, eventOf } from "./chain-queries.ts";
import type { EventRow } from "./chain-queries.ts";
import type { AuditEvent } from "./audit-event.ts";
import type { Entry, Origin } from "./chain.ts";
import type { AuditFilter } from "./schemas.ts";

type Reader = Pick<Ctx, "db" | "tenantId">;
type Scopes = Required<Scope>[] | null;

/** Ids are given out with the time: one of another day than the event is not looked for. */
const dayMs = 86_400_000;

/**
 * What a reader may see. Who is confined to an environment sees what belongs to it, and what belongs to none; who is confined
 * to an application sees what was done to that application itself.
 */
function visible(scopes: Scopes, values: unknown[]): string {
  if (scopes === null) return "true";
  const alternatives = scopes.map((scope) => {
    const parts = ["true"];
    if (scope.unitId) parts.push(`e.unit_id = $${String(values.push(scope.unitId))}`);
    if (scope.applicationId) {
      parts.push(
        `e.target_type = 'application' AND e.target_id = $${String(values.push(scope.applicationId))}`,
      );
    }
    if (scope.environmentId) {
      const place = `$${String(values.push(scope.environmentId))}`;
      parts.push(`(e.environment_id = ${place} OR e.environment_id IS NULL)`);
    }
    return `(${parts.join(" AND ")})`;
  });
  return alternatives.length === 0 ? "false" : `(${alternatives.join(" OR ")})`;
}

/** The conditions of a filter but its search. */
function narrowed(filter: AuditFilter, scopes: Scopes, values: unknown[]): string[] {
  const conditions = ["e.tenant_id = $1", visible(scopes, values)];
  const add = (text: (place: string) => string, value: unknown) => {
    if (value !== undefined) conditions.push(text(`$${String(values.push(value))}`));
  };
  add((place) => `e.action = ${place}`, filter.action);
  add((place) => `e.actor_id = ${place}`, filter.actorId);
  add((place) => `e.actor_type = ${place}`, filter.actorType);
  add((place) => `e.target_type = ${place}`, filter.targetType);
  add((place) => `e.target_id = ${place}`, filter.targetId);
  add((place) => `e.environment_id = ${place}`, filter.environmentId);
  add((place) => `e.unit_id = ${place}`, filter.unitId);
  if (filter.from !== undefined) {
    const from = new Date(filter.from);
    add((place) => `e.at >= ${place}`, from);
    add((place) => `e.id >= ${place}`, idFloor(new Date(Math.max(0, from.getTime() - dayMs))));
  }
  if (filter.to !== undefined) {
    const to = new Date(filter.to);
    add((place) => `e.at < ${place}`, to);
    add((place) => `e.id < ${place}`, idFloor(new Date(Math.max(0, to.getTime() + dayMs))));
  }
  return conditions;
}

const literal = (text: string) => text.replaceAll(/[\\%_]/g, (character) => `\\${character}`);

/** A column's distinct values in an index that begins with them, read by leaps. */
const distinct = (column: "action" | "actor_name") => `
  WITH RECURSIVE v AS (
    (SELECT ${column} AS value FROM audit_events WHERE tenant_id = $1 ORDER BY ${column} LIMIT 1)
    UNION ALL
    SELECT (SELECT a.${column} FROM audit_events a WHERE a.tenant_id = $1 AND a.${column} > v.value ORDER BY a.${column} LIMIT 1)
    FROM v WHERE v.value IS NOT NULL
  )`;

/** What a search is looked for in: one branch each, so that each can use its index. */
function branches(
  search: { q: string; address: string | null },
  base: string,
  order: string,
  values: unknown[],
): string[] {
  const { q, address } = search;
  const place = `$${String(values.push(q))}`;
  const like = `$${String(values.push(`%${literal(q)}%`))}`;
  const from = `$${String(values.push(q.toLowerCase()))}`;
  // No text that begins with the search comes after it: the last code point there is.
  const to = `$${String(values.push(`${q.toLowerCase()}\u{10FFFF}`))}`;
  // "key revoked" finds api_key.revoked.
  const words = `$${String(values.push(`%${literal(q.toLowerCase()).replaceAll(/[\s.]+/g, "%")}%`))}`;
  const found = [
    `SELECT e.id FROM audit_events e WHERE ${base} AND e.target_id = ${place} ${order}`,
    // All of a name are read before they are sorted: by the index of names, and not through the whole trail backwards.
    `SELECT e.id FROM (SELECT e.id FROM audit_events e WHERE ${base}
       AND e.name_key >= ${from} AND e.name_key <= ${to} OFFSET 0) AS e ${order}`,
    `SELECT x.id FROM (${distinct("action")} SELECT value FROM v WHERE value LIKE ${words} LIMIT 100) AS a
     CROSS JOIN LATERAL (SELECT e.id FROM audit_events e WHERE ${base} AND e.action = a.value ${order}) AS x`,
    `SELECT x.id FROM (${distinct("actor_name")} SELECT value FROM v WHERE value ILIKE ${like} LIMIT 100) AS a
     CROSS JOIN LATERAL (SELECT e.id FROM audit_events e WHERE ${base} AND e.actor_name = a.value ${order}) AS x`,
  ];
  if (isUuid(q)) {
    found.push(
      `SELECT e.id FROM audit_events e WHERE ${base} AND e.id = ${place}::uuid`,
      `SELECT e.id FROM audit_events e WHERE ${base} AND e.actor_id = ${place}::uuid ${order}`,
      `SELECT e.id FROM audit_events e WHERE ${base} AND e.request_id = ${place} ${order}`,
    );
  }
  if (address !== null) {
    const token = `$${String(values.push(address))}`;
    found.push(`SELECT e.id FROM audit_events e WHERE ${base} AND e.address_token = ${token} ${order}`);
  }
  return found;
}

export interface ListedEvent {
  event: AuditEvent;
  sequence: number | null;
}

/**
 * Events after `cursor` in the wanted order, at most `limit`.
 * @param page.address the token of the search, when it is an address
 */
export async function selectEvents(
  ctx: Reader,
  filter: AuditFilter,
  page: {
    scopes: Scopes;
    address: string | null;
    cursor: string | undefined;
    limit: number;
    oldestFirst?: boolean;
  },
): Promise<ListedEvent[]> {
  const values: unknown[] = [ctx.tenantId];
  const conditions = narrowed(filter, page.scopes, values);
  const direction = page.oldestFirst ? "ASC" : "DESC";
  if (page.cursor !== undefined) {
    conditions.push(`e.id ${page.oldestFirst ? ">" : "<"} $${String(values.push(page.cursor))}::uuid`);
  }
  const base = conditions.join(" AND ");
  const limit = `$${String(values.push(page.limit))}`;
  const order = `ORDER BY e.id ${direction} LIMIT ${limit}`;
  const events =
    filter.q === undefined || filter.q === ""
      ? `SELECT * FROM audit_events e WHERE ${base} ${order}`
      : `SELECT e.* FROM (SELECT f.id FROM (${branches(
          { q: filter.q, address: page.address },
          base,
          order,
          values,
        )
          .map((branch) => `(${branch})`)
          .join(" UNION ")}) AS f ORDER BY f.id ${direction} LIMIT ${limit}) AS found
         JOIN audit_events e ON e.tenant_id = $1 AND e.id = found.id`;
  return selectListed(ctx, events, direction, values);
}

/** One event that the reader may see. */
export async function selectEvent(ctx: Reader, id: string, scopes: Scopes): Promise<ListedEvent | undefined> {
  const values: unknown[] = [ctx.tenantId, id];
  const events = `SELECT * FROM audit_events e WHERE e.tenant_id = $1 AND e.id = $2 AND ${visible(scopes, values)}`;
  return (await selectListed(ctx, events, "DESC", values))[0];
}

/** @param events the statement that finds them */
async function selectListed(
  ctx: Reader,
  events: string,
  direction: "ASC" | "DESC",
  values: unknown[],
): Promise<ListedEvent[]> {
  const rows = await queryInTenant<EventRow & { sequence: number | null }>(
    ctx,
    `SELECT ${eventColumns}, l.sequence::float8 FROM (${events}) AS e
     LEFT JOIN audit_links l ON l.tenant_id = e.tenant_id AND l.event_id = e.id
     ORDER BY e.id ${direction}`,
    values,
  );
  return rows.map((row) => ({ event: eventOf(row), sequence: row.sequence }));
}

/** Who acted, what they did and to what kinds of things, among the newest events that the reader may see. */
export async function selectChoices(
  ctx: Reader,
  scopes: Scopes,
): Promise<{
  actors: { id: string; type: string; name: string }[];
  actions: string[];
  targetTypes: string[];
}> {
  const values: unknown[] = [ctx.tenantId];
  const where = visible(scopes, values);
  const rows = await queryInTenant<{
    actors: { id: string; type: string; name: string }[] | null;
    actions: string[] | null;
    targetTypes: string[] | null;
  }>(
    ctx,
    `WITH newest AS MATERIALIZED (
       SELECT e.id, e.actor_type, e.actor_id, e.actor_name, e.action, e.target_type FROM audit_events e
       WHERE e.tenant_id = $1 AND ${where} ORDER BY e.id DESC LIMIT 10000
     ), people AS (
       SELECT DISTINCT ON (actor_id) actor_id, actor_type, actor_name FROM newest WHERE actor_id IS NOT NULL
       ORDER BY actor_id, id DESC
     )
     SELECT (SELECT jsonb_agg(jsonb_build_object('id', actor_id, 'type', actor_type, 'name', actor_name)
               ORDER BY lower(actor_name)) FROM (SELECT * FROM people LIMIT 500) AS p) AS actors,
       (SELECT array_agg(DISTINCT action) FROM newest) AS actions,
       (SELECT array_agg(DISTINCT target_type) FROM newest) AS target_types`,
    values,
  );
  const [row] = rows;
  return { actors: row?.actors ?? [], actions: row?.actions ?? [], targetTypes: row?.targetTypes ?? [] };
}

export interface ChainState {
  key: Buffer;
  dataKey: Buffer;
  retentionMonths: number;
  purgedSequence: number;
  purgedHash: Buffer | null;
  purgedAt: Date | null;
  purgedSignature: string | null;
  verifiedSequence: number;
  verifiedAt: Date | null;
  failure: {
    kind: string;
    sequence: number | null;
    eventId: string | null;
    detail: string;
    foundAt: string;
  } | null;
  headSequence: number | null;
  headHash: Buffer | null;
  publicKey: string | null;
  checkpointAt: Date | null;
  filedAt: Date | null;
}

/** The tenant's chain: its key, how far it was verified, and what was signed last; null before the first event. */
export async function selectChainState(ctx: Reader): Promise<ChainState | null> {
  const rows = await queryInTenant<ChainState>(
    ctx,
    `SELECT c.key, t.data_key, c.retention_months, c.purged_sequence::float8, c.purged_hash, c.purged_at, c.purged_signature,
       c.verified_sequence::float8, c.verified_at, c.failure, h.sequence::float8 AS head_sequence, h.hash AS head_hash,
       (SELECT public_key FROM audit_signers LIMIT 1) AS public_key,
       p.at AS checkpoint_at,
       (SELECT filed_at FROM audit_checkpoints WHERE filed_at IS NOT NULL ORDER BY number DESC LIMIT 1) AS filed_at
     FROM audit_chains c JOIN tenant_facts t ON t.id = c.tenant_id
     LEFT JOIN LATERAL (SELECT l.sequence, l.hash FROM audit_links l WHERE l.tenant_id = c.tenant_id
                        ORDER BY l.sequence DESC LIMIT 1) AS h ON true
     LEFT JOIN LATERAL (SELECT at FROM audit_checkpoints ORDER BY number DESC LIMIT 1) AS p ON true
     WHERE c.tenant_id = $1`,
    [ctx.tenantId],
  );
  return rows[0] ?? null;
}

/** How many months it was before; null when the tenant has no chain yet. */
export async function callSetRetention(tx: Tx, months: number): Promise<number | null> {
  const rows = await tx.$queryRaw<
    { before: number | null }[]
  >`SELECT set_audit_retention(${months}) AS before`;
  return rows[0]?.before ?? null;
}

export interface ChainedEvent extends Entry {
  sequence: number;
  /** Hex; null before the first entry. */
  previous: string | null;
}

/** Entries of the tenant's chain in their order: those after one and up to one, or those of some events. */
export async function selectChainPage(
  ctx: Reader,
  which: { after: number; to: number; limit: number } | { eventIds: readonly string[] },
): Promise<ChainedEvent[]> {
  const links =
    "eventIds" in which
      ? "SELECT * FROM audit_links WHERE tenant_id = $1 AND event_id = ANY ($2::uuid[])"
      : `SELECT * FROM audit_links WHERE tenant_id = $1 AND sequence > $2 AND sequence <= $3 ORDER BY sequence LIMIT $4`;
  const values = "eventIds" in which ? [which.eventIds] : [which.after, which.to, which.limit];
  const rows = await queryInTenant<
    { [Name in keyof EventRow]: EventRow[Name] | null } & {
      sequence: number;
      origin: Origin;
      hash: Buffer;
      previous: Buffer | null;
    }
  >(
    ctx,
    `SELECT l.sequence::float8, l.origin, l.hash, coalesce(p.hash, c.purged_hash) AS previous, ${eventColumns}
     FROM (${links}) AS l
     LEFT JOIN audit_links p ON p.tenant_id = l.tenant_id AND p.sequence = l.sequence - 1
     LEFT JOIN audit_chains c ON c.tenant_id = l.tenant_id AND c.purged_sequence = l.sequence - 1
     LEFT JOIN audit_events e ON e.tenant_id = l.tenant_id AND e.id = l.event_id ORDER BY l.sequence`,
    [ctx.tenantId, ...values],
  );
  return rows.map(({ sequence, origin, hash, previous, ...row }) => ({
    sequence,
    origin,
    hash: hash.toString("hex"),
    previous: previous?.toString("hex") ?? null,
    event: row.id === null ? null : eventOf(row as EventRow),
  }));
}

/** The newest events, as far as they are not in the chain yet, oldest first. */
export async function selectPendingEvents(ctx: Reader, limit: number): Promise<AuditEvent[]> {
  const rows = await queryInTenant<EventRow>(
    ctx,
    `SELECT ${eventColumns} FROM (SELECT * FROM audit_events WHERE tenant_id = $1 ORDER BY id DESC LIMIT $2) AS e
     WHERE NOT EXISTS (SELECT FROM audit_links l WHERE l.tenant_id = e.tenant_id AND l.event_id = e.id) ORDER BY e.id`,
    [ctx.tenantId, limit],
  );
  return rows.map(eventOf);
}
