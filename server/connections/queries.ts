import type { Ctx } from "../kernel/ctx.ts";
import { camelRows, lookUpInTenant, queryInTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { Conditions } from "../operations/conditions.ts";
import type { PriceDifference } from "./price-changes.ts";

export interface ConnectionRow {
  id: string;
  unitId: string | null;
  name: string;
  adapter: string;
  channels: string[];
  credentials: Buffer;
  oldCallbackSecrets: Buffer | null;
  settings: unknown;
  senders: unknown;
  ratePerSecond: number | null;
  maxConcurrency: number;
  priceList: unknown;
  processingRegion: string;
  slowAfterMs: number;
  enabled: boolean;
  updatedAt: Date;
  dataKey: Buffer;
  platformChannelId: string | null;
  /** Of the operator's channel, if the connection uses one. */
  channelCredentials: Buffer | null;
  channelSettings: Record<string, unknown> | null;
}

/** The senders of connection c with their owners. */
const ownedSenders = `coalesce((SELECT jsonb_agg(CASE WHEN s.region IS NULL THEN '{}' ELSE jsonb_build_object('region', s.region) END
    || jsonb_build_object('channel', s.channel, 'sender', s.sender, 'unitId', s.unit_id) ORDER BY s.position)
  FROM senders s WHERE s.tenant_id = c.tenant_id AND s.connection_id = c.id), '[]')`;

/** The operator's values of a channel apply to all its connections, a price only where the connection has none. */
const usable = `c.id, c.unit_id, c.name, c.adapter, c.channels, c.credentials, c.old_callback_secrets, c.settings, ${ownedSenders} AS senders, c.rate_per_second,
  c.max_concurrency, CASE WHEN c.price_list = '[]' AND p.id IS NOT NULL THEN p.price_list ELSE c.price_list END AS price_list,
  coalesce(p.processing_region, c.processing_region) AS processing_region, c.slow_after_ms,
  c.enabled AND coalesce(p.enabled, true) AS enabled, greatest(c.updated_at, p.updated_at) AS updated_at, t.data_key,
  c.platform_channel_id, p.credentials AS channel_credentials, p.settings AS channel_settings`;
const usableFrom = `provider_connections c JOIN tenant_facts t ON t.id = c.tenant_id
  LEFT JOIN channel_facts p ON p.id = c.platform_channel_id`;

/** All connections of the tenant, with the tenant's sealed data key. */
export function selectConnections(ctx: Pick<Ctx, "db" | "tenantId">): Promise<ConnectionRow[]> {
  return lookUpInTenant<ConnectionRow>(
    ctx,
    `SELECT ${usable} FROM ${usableFrom}
     WHERE c.tenant_id = $1 ORDER BY c.name LIMIT 1000`,
    [ctx.tenantId],
  );
}

/**
 * The enabled connections of all tenants to these providers, without those of the operator's channels (worker's role).
 */
export async function selectEnabledConnections(
  db: Ctx["db"],
  adapters: readonly string[],
): Promise<(ConnectionRow & { tenantId: string })[]> {
  const result = await db.pool.query(
    `SELECT c.tenant_id, ${usable} FROM ${usableFrom}
     WHERE c.enabled AND c.platform_channel_id IS NULL AND c.adapter = ANY ($1) ORDER BY c.id LIMIT 1000`,
    [adapters],
  );
  return camelRows(result);
}

/** A connection as it is presented; its credentials stay sealed. */
export interface ConnectionFacts {
  id: string;
  unitId: string | null;
  name: string;
  adapter: string;
  channels: string[];
  platformChannelId: string | null;
  settings: unknown;
  /** As edited. */
  senders: unknown;
  ownedSenders: unknown;
  ratePerSecond: number | null;
  maxConcurrency: number;
  slowAfterMs: number;
  priceList: unknown;
  processingRegion: string;
  inboundApplicationId: string | null;
  inboundEnvironmentId: string | null;
  enabled: boolean;
  testedAt: Date | null;
  testProblem: string | null;
  createdAt: Date;
  updatedAt: Date;
}
export type SealedConnection = ConnectionFacts & {
  credentials: Buffer;
  oldCallbackSecrets: Buffer | null;
  dataKey: Buffer;
};

const facts = `c.id, c.unit_id AS "unitId", c.name, c.adapter, c.channels, c.platform_channel_id AS "platformChannelId",
  c.settings, c.senders, ${ownedSenders} AS "ownedSenders", c.rate_per_second AS "ratePerSecond", c.max_concurrency AS "maxConcurrency",
  c.slow_after_ms AS "slowAfterMs", c.processing_region AS "processingRegion",
  c.inbound_application_id AS "inboundApplicationId", c.inbound_environment_id AS "inboundEnvironmentId", c.enabled,
  c.tested_at AS "testedAt", c.test_problem AS "testProblem", c.created_at AS "createdAt", c.updated_at AS "updatedAt"`;

/** All connections of the tenant by name, without their price lists, which are long. */
export function selectConnectionFacts(
  ctx: Pick<Ctx, "db" | "tenantId">,
): Promise<Omit<ConnectionFacts, "priceList">[]> {
  return queryInTenant(
    ctx,
    `SELECT ${facts} FROM provider_connections c WHERE c.tenant_id = $1 ORDER BY c.name LIMIT 1000`,
    [ctx.tenantId],
  );
}

/** One connection with its sealed credentials and the data key that opens them, read at the same moment. */
export async function selectSealedConnection(
  ctx: Pick<Ctx, "db" | "tenantId">,
  id: string,
): Promise<SealedConnection | undefined> {
  const rows = await queryInTenant<SealedConnection>(
    ctx,
    `SELECT ${facts}, c.price_list AS "priceList", c.credentials, c.old_callback_secrets AS "oldCallbackSecrets", t.data_key AS "dataKey"
     FROM provider_connections c JOIN tenant_facts t ON t.id = c.tenant_id WHERE c.tenant_id = $1 AND c.id = $2`,
    [ctx.tenantId, id],
  );
  return rows[0];
}

/** Locks the row until the transaction ends; null when it is gone. */
export async function lockConnection(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<{ updatedAt: Date } | null> {
  const rows = await tx.$queryRaw<{ updatedAt: Date }[]>`
    SELECT updated_at AS "updatedAt" FROM provider_connections
    WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid FOR UPDATE`;
  return rows[0] ?? null;
}

/**
 * A number that another connection of the tenant lists for another unit, or undefined. Blocks others who claim one
 * until the transaction ends.
 */
export async function selectTakenSender(
  tx: Tx,
  connection: { tenantId: string; id: string; sandbox: boolean },
  claims: readonly { index: number; channel: string; address: string; unitId: string | null }[],
): Promise<{ index: number; connection: string; unitId: string | null } | undefined> {
  const { tenantId, id, sandbox } = connection;
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('senders' || ${tenantId}, 0))`;
  const rows = await tx.$queryRaw<{ index: number; connection: string; unitId: string | null }[]>`
    SELECT x.index, c.name AS connection, s.unit_id AS "unitId"
    FROM jsonb_to_recordset(${JSON.stringify(claims)}::jsonb) AS x(index int, channel text, address text, "unitId" uuid)
    JOIN senders s ON s.tenant_id = ${tenantId}::uuid AND s.channel = x.channel AND s.address = x.address
      AND s.connection_id <> ${id}::uuid AND s.sandbox = ${sandbox} AND s.unit_id IS DISTINCT FROM x."unitId"
      AND s.kind IN ('numeric', 'whatsapp')
    JOIN provider_connections c ON c.tenant_id = s.tenant_id AND c.id = s.connection_id
    ORDER BY x.index LIMIT 1`;
  return rows[0];
}

export interface UsingRuleRow {
  id: string;
  name: string;
  environmentId: string;
  applicationId: string | null;
  channel: string | null;
  enabled: boolean;
  tiers: { connectionId: string }[][];
}

/** The routing rules that name a connection. */
export function selectRulesUsing(
  tx: Pick<Tx, "$queryRaw">,
  tenantId: string,
  connectionId: string,
): Promise<UsingRuleRow[]> {
  return tx.$queryRaw<UsingRuleRow[]>`
    SELECT r.id, r.name, r.environment_id AS "environmentId", r.application_id AS "applicationId", r.channel, r.enabled,
           r.tiers
    FROM rule_facts r
    WHERE r.tenant_id = ${tenantId}::uuid
      AND jsonb_path_exists(r.tiers, '$[*][*] ? (@.connectionId == $id)', jsonb_build_object('id', ${connectionId}::text))
    ORDER BY r.environment_id, r.priority, r.id LIMIT 1000`;
}

/** Records the result of a test; the connection itself stays unchanged. */
export async function storeTest(
  tx: Tx,
  tenantId: string,
  id: string,
  test: { at: Date; problem: string | null },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE provider_connections SET tested_at = ${test.at}, test_problem = ${test.problem}
    WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid`;
}

export async function findConnectionTenant(db: Ctx["db"], connectionId: string): Promise<string | null> {
  const { rows } = await db.pool.query<{ id: string | null }>("SELECT find_connection_tenant($1) AS id", [
    connectionId,
  ]);
  return rows[0]?.id ?? null;
}

export interface AttemptCountRow {
  connectionId: string;
  outcome: string;
  code: string;
  count: string;
}

/** Attempts since `since` by connection, outcome and code, of all messages of the organisation. */
export function selectAttemptCounts(
  ctx: Pick<Ctx, "db" | "tenantId">,
  since: Date,
  environmentId: string | undefined,
): Promise<AttemptCountRow[]> {
  const where = new Conditions([ctx.tenantId, since], "tenant_id = $1").given(
    "environment_id = ?",
    environmentId,
  );
  return queryInTenant<AttemptCountRow>(
    ctx,
    `SELECT connection_id, status AS outcome, code, sum(count)::text AS count FROM hourly_counts
     WHERE ${where.sql} AND kind = 'attempt' AND at >= $2 AND connection_id IS NOT NULL
     GROUP BY connection_id, status, code`,
    where.values,
  );
}

/** Ids in the order of the list. */
export async function insertPriceChanges(
  tx: Tx,
  of: { tenantId: string; connectionId: string; unitId: string | null; at: Date },
  changes: readonly (PriceDifference & { id: string })[],
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO price_changes (tenant_id, id, connection_id, unit_id, at, before, after)
    SELECT ${of.tenantId}::uuid, x.id, ${of.connectionId}::uuid, ${of.unitId}::uuid, ${of.at},
      nullif(x.before, 'null'), nullif(x.after, 'null')
    FROM jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) AS x(id uuid, before jsonb, after jsonb)`;
}

export type PriceChangeRow = PriceDifference & {
  id: string;
  at: Date;
  connectionId: string;
  /** Null: it was deleted. */
  connection: string | null;
};

/** Newest first. `units`: whose connections besides everybody's; null: all. */
export function selectPriceChanges(
  ctx: Pick<Ctx, "db" | "tenantId">,
  wanted: { units: string[] | null; connectionId: string | null; before: string | null; limit: number },
): Promise<PriceChangeRow[]> {
  const where = new Conditions([ctx.tenantId], "p.tenant_id = $1")
    .given("p.connection_id = ?", wanted.connectionId)
    .given("p.id < ?", wanted.before)
    .given("(p.unit_id IS NULL OR p.unit_id = ANY (?::uuid[]))", wanted.units);
  const limit = where.bind(wanted.limit);
  return queryInTenant(
    ctx,
    `SELECT p.id, p.at, p.connection_id AS "connectionId", c.name AS connection, p.before, p.after
     FROM price_changes p LEFT JOIN provider_connections c ON c.tenant_id = p.tenant_id AND c.id = p.connection_id
     WHERE ${where.sql} ORDER BY p.id DESC LIMIT ${limit}`,
    where.values,
  );
}
