import type pg from "pg";
import type { StoredSender } from "../connections/schemas.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { camelRows } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import type { OperatorDb } from "./operator-db.ts";

type Db = Ctx["db"];
type Owner = OperatorDb["owner"];

export interface ChannelRow {
  id: string;
  name: string;
  adapter: string;
  channels: string[];
  credentials: Buffer;
  settings: Record<string, unknown>;
  priceList: unknown;
  processingRegion: string;
  enabled: boolean;
  updatedAt: Date;
}

const columns =
  "id, name, adapter, channels, credentials, settings, price_list, processing_region, enabled, updated_at";

export async function insertChannel(
  owner: Owner,
  row: Omit<ChannelRow, "enabled" | "updatedAt">,
): Promise<void> {
  await owner.query(
    `INSERT INTO platform_channels (id, name, adapter, channels, credentials, settings, price_list, processing_region, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now())`,
    [
      row.id,
      row.name,
      row.adapter,
      row.channels,
      row.credentials,
      JSON.stringify(row.settings),
      JSON.stringify(row.priceList),
      row.processingRegion,
    ],
  );
}

/** Writes a channel. Credentials that are null stay: a rotation may have resealed them since they were read. */
export async function writeChannel(
  owner: Owner,
  row: Omit<ChannelRow, "credentials"> & { credentials: Buffer | null },
): Promise<void> {
  await owner.query(
    `UPDATE platform_channels SET name = $2, credentials = coalesce($3, credentials), settings = $4, price_list = $5, processing_region = $6,
       enabled = $7, updated_at = greatest(now(), updated_at + interval '1 millisecond') WHERE id = $1`,
    [
      row.id,
      row.name,
      row.credentials,
      JSON.stringify(row.settings),
      JSON.stringify(row.priceList),
      row.processingRegion,
      row.enabled,
    ],
  );
}

export async function deleteChannel(owner: Owner, id: string): Promise<void> {
  await owner.query("DELETE FROM platform_channels WHERE id = $1", [id]);
}

export async function selectChannelByName(
  db: Pick<pg.Pool, "query">,
  name: string,
): Promise<ChannelRow | undefined> {
  const result = await db.query(`SELECT ${columns} FROM platform_channels WHERE name = $1`, [name]);
  return camelRows<ChannelRow>(result)[0];
}

export async function selectChannelList(owner: Owner): Promise<ChannelRow[]> {
  return camelRows(await owner.query(`SELECT ${columns} FROM platform_channels ORDER BY name LIMIT 1000`));
}

export interface AssignmentRow {
  channelId: string;
  tenant: string;
  connection: string;
  /** With the short name of each sender's unit. */
  senders: { channel: string; sender: string; region: string | null; unit: string | null }[];
  channels: string[];
  enabled: boolean;
}

export async function selectAssignments(owner: Owner): Promise<AssignmentRow[]> {
  const result = await owner.query(
    `SELECT c.platform_channel_id AS channel_id, t.slug AS tenant, c.name AS connection, c.channels, c.enabled,
       coalesce((SELECT jsonb_agg(jsonb_build_object('channel', s.channel, 'sender', s.sender, 'region', s.region, 'unit', u.slug)
           ORDER BY s.position)
         FROM sender_facts s LEFT JOIN unit_facts u ON u.tenant_id = s.tenant_id AND u.id = s.unit_id
         WHERE s.tenant_id = c.tenant_id AND s.connection_id = c.id), '[]') AS senders
     FROM connection_facts c JOIN tenant_facts t ON t.id = c.tenant_id
     WHERE c.platform_channel_id IS NOT NULL ORDER BY t.slug, c.name LIMIT 10000`,
  );
  return camelRows(result);
}

/** The enabled channels of these providers that at least one connection uses (worker's role). */
export async function selectUsedChannels(db: Db, adapters: readonly string[]): Promise<ChannelRow[]> {
  const result = await db.pool.query(
    `SELECT ${columns} FROM platform_channels p WHERE enabled AND adapter = ANY ($1)
       AND EXISTS (SELECT FROM connection_facts c WHERE c.platform_channel_id = p.id AND c.enabled) ORDER BY id`,
    [adapters],
  );
  return camelRows(result);
}

export async function selectTenantBySlug(db: Db, slug: string): Promise<string | undefined> {
  const result = await db.pool.query<{ id: string }>("SELECT id FROM tenant_facts WHERE slug = $1", [slug]);
  return result.rows[0]?.id;
}

/** Some organisation's sealed data key; every one is sealed under the installation's master key. */
export async function selectAnyDataKey(owner: Owner): Promise<{ id: string; dataKey: Buffer } | undefined> {
  const result = await owner.query("SELECT id, data_key FROM tenant_facts LIMIT 1");
  return camelRows<{ id: string; dataKey: Buffer }>(result)[0];
}

/** Until the transaction ends, nobody else assigns the channel. */
export async function lockChannel(tx: Tx, id: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`platform channel ${id}`}, 0))`;
}

export type FoundChannel = Pick<
  ChannelRow,
  "id" | "name" | "adapter" | "credentials" | "settings" | "updatedAt"
>;

/** A channel by its id, for either role and before a tenant is known. */
export async function findChannel(db: Db, id: string): Promise<FoundChannel | undefined> {
  return camelRows<FoundChannel>(await db.pool.query("SELECT * FROM find_platform_channel($1)", [id]))[0];
}

export interface SharingConnection {
  tenantId: string;
  id: string;
  settings: Record<string, unknown>;
  senders: Pick<StoredSender, "channel" | "sender">[];
}

/** The connections that share a channel. */
export async function findConnections(
  db: Pick<pg.Pool, "query">,
  channelId: string,
): Promise<SharingConnection[]> {
  return camelRows(await db.query("SELECT * FROM find_platform_connections($1)", [channelId]));
}

export interface FoundMessage {
  tenantId: string;
  connectionId: string;
  notificationId: string;
  /** Null when it was found by its own id. */
  providerMessageId: string | null;
}

/** Messages that went through a channel, by the provider's ids or their own. */
export async function findMessages(
  db: Db,
  channelId: string,
  by: { providerMessageIds: string[]; notificationIds: string[] },
): Promise<FoundMessage[]> {
  if (by.providerMessageIds.length + by.notificationIds.length === 0) return [];
  const result = await db.pool.query("SELECT * FROM find_platform_messages($1, $2, $3)", [
    channelId,
    by.providerMessageIds,
    by.notificationIds,
  ]);
  return camelRows(result);
}

export interface HoldRow {
  heldAt: Date;
  heldBy: string;
  reason: string;
}

/** Over any role. */
export async function selectHold(sql: Pick<pg.Pool, "query">): Promise<HoldRow | undefined> {
  const { rows } = await sql.query<HoldRow>(
    `SELECT held_at AS "heldAt", held_by AS "heldBy", reason FROM sending_holds`,
  );
  return rows[0];
}

/** Over the owner's role; one that is there stays as it is. False: there was one. */
export async function insertHold(owner: Owner, hold: Omit<HoldRow, "heldAt">): Promise<boolean> {
  const { rowCount } = await owner.query(
    "INSERT INTO sending_holds (held_at, held_by, reason) VALUES (now(), $1, $2) ON CONFLICT (id) DO NOTHING",
    [hold.heldBy, hold.reason],
  );
  return rowCount === 1;
}

/** Over the console's role or the owner's. Undefined: there was none. */
export async function deleteHold(sql: Owner): Promise<HoldRow | undefined> {
  const { rows } = await sql.query<HoldRow>(
    `DELETE FROM sending_holds RETURNING held_at AS "heldAt", held_by AS "heldBy", reason`,
  );
  return rows[0];
}
