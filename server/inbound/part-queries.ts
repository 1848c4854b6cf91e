import type { Channel } from "../kernel/channel.ts";
import type { Db, Tx } from "../kernel/db.ts";
import type { Collected } from "./collect-parts.ts";

/** Parts of one message. */
export interface PartsRow extends Collected {
  channel: Channel;
  address: string;
  ownAddress: string;
  reference: number;
}

type Key = Pick<PartsRow, "address" | "ownAddress" | "reference" | "total">;

/** Until the transaction ends, parts of this connection are nobody else's. */
export async function lockParts(tx: Tx, tenantId: string, connectionId: string): Promise<void> {
  await tx.$queryRaw`SELECT count(pg_advisory_xact_lock(hashtextextended('inbound parts' || ${tenantId} || ${connectionId}, 0)))`;
}

/** The newest under each key. */
export function selectParts(
  tx: Tx,
  tenantId: string,
  connectionId: string,
  keys: readonly Key[],
): Promise<PartsRow[]> {
  return tx.$queryRawUnsafe<PartsRow[]>(
    `SELECT DISTINCT ON (p.address, p.own_address, p.reference, p.total) p.id, p.channel, p.address, p.own_address AS "ownAddress", p.reference, p.total, p.parts,
       p.first_at AS "firstAt", p.joined_at AS "joinedAt"
     FROM jsonb_to_recordset($3::jsonb) AS x(address text, "ownAddress" text, reference int, total int)
     JOIN inbound_parts p ON p.tenant_id = $1::uuid AND p.connection_id = $2::uuid AND p.address = x.address
       AND p.own_address = x."ownAddress" AND p.reference = x.reference AND p.total = x.total
     ORDER BY p.address, p.own_address, p.reference, p.total, p.first_at DESC, p.id DESC`,
    tenantId,
    connectionId,
    JSON.stringify(keys),
  );
}

/**
 * How many rows a connection has, and how many of them are incomplete: those of these senders by sender, all others together
 * under null.
 */
export async function countParts(
  tx: Tx,
  tenantId: string,
  connectionId: string,
  addresses: readonly string[],
): Promise<{ all: number; open: { address: string | null; count: number }[] }> {
  const rows = await tx.$queryRaw<{ address: string | null; open: number; all: number }[]>`
    SELECT CASE WHEN address = ANY (${addresses}::text[]) THEN address END AS address,
      count(*) FILTER (WHERE joined_at IS NULL)::int AS open, count(*)::int AS all
    FROM inbound_parts WHERE tenant_id = ${tenantId}::uuid AND connection_id = ${connectionId}::uuid GROUP BY 1`;
  return {
    all: rows.reduce((sum, row) => sum + row.all, 0),
    open: rows.map(({ address, open }) => ({ address, count: open })),
  };
}

/** Rows of messages that are new, or that have changed. */
export async function writeParts(
  tx: Tx,
  tenantId: string,
  connectionId: string,
  rows: readonly PartsRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.$executeRawUnsafe(
    `INSERT INTO inbound_parts (tenant_id, id, connection_id, channel, address, own_address, reference, total, parts, first_at,
       joined_at)
     SELECT $1::uuid, id, $2::uuid, channel, address, "ownAddress", reference, total, parts, "firstAt", "joinedAt"
     FROM jsonb_to_recordset($3::jsonb) AS x(id uuid, channel text, address text, "ownAddress" text, reference int, total int,
       parts jsonb, "firstAt" timestamptz, "joinedAt" timestamptz)
     ON CONFLICT (tenant_id, id) DO UPDATE SET parts = excluded.parts, joined_at = excluded.joined_at`,
    tenantId,
    connectionId,
    JSON.stringify(rows),
  );
}

/** Makes room: those that were put together first are forgotten first. */
export async function deleteOldestJoined(
  tx: Tx,
  tenantId: string,
  connectionId: string,
  limit: number,
): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM inbound_parts WHERE tenant_id = ${tenantId}::uuid AND id IN (
      SELECT id FROM inbound_parts
      WHERE tenant_id = ${tenantId}::uuid AND connection_id = ${connectionId}::uuid AND joined_at IS NOT NULL
      ORDER BY joined_at LIMIT ${limit})`;
}

/** Incomplete messages of all tenants whose first part came before a moment, by id. */
export async function selectOverdueParts(
  db: Db,
  { before, after, limit }: { before: Date; after: string; limit: number },
): Promise<(PartsRow & { tenantId: string; connectionId: string })[]> {
  const { rows } = await db.pool.query<PartsRow & { tenantId: string; connectionId: string }>(
    `SELECT tenant_id AS "tenantId", connection_id AS "connectionId", id, channel, address, own_address AS "ownAddress",
       reference, total, parts, first_at AS "firstAt", joined_at AS "joinedAt"
     FROM inbound_parts WHERE first_at < $1 AND joined_at IS NULL AND id > $2 ORDER BY id LIMIT $3`,
    [before, after === "" ? "00000000-0000-0000-0000-000000000000" : after, limit],
  );
  return rows;
}

/** Forgets messages of all tenants that were put together before a moment, and all that began before an earlier one. */
export async function deleteOldParts(db: Db, { joined, any }: { joined: Date; any: Date }): Promise<void> {
  await db.pool.query("DELETE FROM inbound_parts WHERE first_at < $1 AND (joined_at < $1 OR first_at < $2)", [
    joined,
    any,
  ]);
}
