import type { Adapter, Connection } from "../adapters/adapter.ts";
import { allAdapters, findAdapter } from "../adapters/adapters.ts";
import { ttlCache } from "../kernel/cache.ts";
import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { isUuid } from "../kernel/ids.ts";
import { logger } from "../kernel/log.ts";
import { openText } from "../kernel/secrets.ts";
import { openChannelCredentials, openOldChannelSecrets } from "./channel-credentials.ts";
import { formerConnections, openOldSecrets } from "./old-callback-secrets.ts";
import type { FormerConnection } from "./old-callback-secrets.ts";
import { OpenedConnections } from "./opened-connections.ts";
import { findConnectionTenant, selectConnections, selectEnabledConnections } from "./queries.ts";
import type { ConnectionRow } from "./queries.ts";
import { ownedSendersSchema, priceListSchema } from "./schemas.ts";
import type { OwnedSender, PriceListEntry } from "./schemas.ts";

/** A provider connection, ready to use. Its credentials are in the clear, so it never leaves the process. */
export interface ProviderConnection {
  id: string;
  tenantId: string;
  unitId: string | null;
  name: string;
  adapter: Adapter;
  channels: readonly Channel[];
  connection: Connection;
  /** With what its callbacks were verified before. */
  former: readonly FormerConnection[];
  senders: OwnedSender[];
  ratePerSecond: number | null;
  maxConcurrency: number;
  priceList: PriceListEntry[];
  processingRegion: string;
  /** Milliseconds from which on a call counts as slow. */
  slowAfterMs: number;
  enabled: boolean;
  /** The operator's channel that this connection uses; null: the tenant's own account. */
  platformChannelId: string | null;
}

/** The context under which a connection's credentials are sealed. */
export function credentialsContext(connectionId: string): string {
  return `provider_connections:${connectionId}`;
}

const byTenant = ttlCache<Map<string, ProviderConnection>>({
  name: "connections",
  ttlMs: 1_000,
  max: 1_000,
  purge: true,
  ahead: true,
});
const tenantOfConnection = ttlCache<{ tenantId: string }>({
  name: "connection tenants",
  ttlMs: 60_000,
  max: 10_000,
});
const opened = new OpenedConnections();

function open(tenantId: string, row: ConnectionRow): ProviderConnection | undefined {
  const adapter = findAdapter(row.adapter);
  if (!adapter) return undefined;
  const channel =
    row.platformChannelId !== null && row.channelCredentials
      ? { id: row.platformChannelId, credentials: row.channelCredentials, settings: row.channelSettings }
      : null;
  const openOwn = (box: Uint8Array) => openText(tenantId, row.dataKey, credentialsContext(row.id), box);
  const now = new Date();
  const [credentials, old] = channel
    ? [
        openChannelCredentials(channel.id, channel.credentials),
        openOldChannelSecrets(channel.id, channel.credentials, now),
      ]
    : [
        JSON.parse(openOwn(row.credentials)) as Record<string, unknown>,
        openOldSecrets(row.oldCallbackSecrets, openOwn, now),
      ];
  const settings = adapter.settingsSchema.parse({ ...channel?.settings, ...(row.settings as object) });
  const connection = {
    // Open sessions are the channel's, whoever sends over it.
    id: channel && adapter.listen ? channel.id : row.id,
    credentials: adapter.credentialsSchema.parse(credentials),
    settings,
    ...(channel ? { channelId: channel.id } : {}),
  };
  return {
    id: row.id,
    tenantId,
    unitId: row.unitId,
    name: row.name,
    adapter,
    channels: row.channels as Channel[],
    connection,
    former: formerConnections(adapter, connection, credentials, old),
    senders: ownedSendersSchema.parse(row.senders),
    ratePerSecond: row.ratePerSecond,
    maxConcurrency: Math.min(row.maxConcurrency, adapter.mostAtOnce?.(settings) ?? Infinity),
    priceList: priceListSchema.parse(row.priceList),
    processingRegion: row.processingRegion,
    slowAfterMs: row.slowAfterMs,
    enabled: row.enabled,
    platformChannelId: row.platformChannelId,
  };
}

/** One that cannot be read must not affect the others; routing reports it as missing. */
function openIfReadable(tenantId: string, row: ConnectionRow): ProviderConnection | undefined {
  try {
    const { id, enabled, updatedAt } = row;
    return opened.get({ tenantId, id, enabled, updatedAt }, () => open(tenantId, row));
  } catch (error) {
    logger().error({ err: error, tenantId, connectionId: row.id }, "a connection cannot be read");
    return undefined;
  }
}

/**
 * The enabled connections of all tenants whose provider reports over a session that is kept open; for the worker.
 * Without those of the operator's channels: a channel has one session for all.
 */
export async function listeningConnections(db: Ctx["db"]): Promise<ProviderConnection[]> {
  const adapters = allAdapters().filter((adapter) => adapter.listen !== undefined);
  const rows = await selectEnabledConnections(
    db,
    adapters.map((adapter) => adapter.name),
  );
  return rows.flatMap((row) => openIfReadable(row.tenantId, row) ?? []);
}

/** The tenant's connections by id, at most a second old. */
export async function tenantConnections(
  ctx: Pick<Ctx, "db" | "tenantId">,
): Promise<Map<string, ProviderConnection>> {
  const connections = await byTenant.get(ctx.tenantId, async () => {
    const rows = await selectConnections(ctx);
    const map = new Map<string, ProviderConnection>();
    for (const row of rows) {
      const connection = openIfReadable(ctx.tenantId, row);
      if (connection) map.set(connection.id, connection);
    }
    return map;
  });
  return connections ?? new Map<string, ProviderConnection>();
}

/** Makes this process see its own change of a connection at once, and wipes the tenant's decrypted credentials. */
export function forgetConnections(tenantId: string): void {
  byTenant.forget(tenantId);
  opened.forget(tenantId);
}

/** The tenant of a connection; null when there is none. For callbacks, which arrive before a tenant is known. */
export async function connectionTenant(db: Ctx["db"], connectionId: string): Promise<string | null> {
  if (!isUuid(connectionId)) return null;
  const found = await tenantOfConnection.get(connectionId, async () => {
    const tenantId = await findConnectionTenant(db, connectionId);
    return tenantId ? { tenantId } : undefined;
  });
  return found?.tenantId ?? null;
}
