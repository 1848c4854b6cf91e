import type { Adapter, Connection } from "../adapters/adapter.ts";
import { allAdapters, findAdapter } from "../adapters/adapters.ts";
import { openChannelCredentials, openOldChannelSecrets } from "../connections/channel-credentials.ts";
import { formerConnections } from "../connections/old-callback-secrets.ts";
import type { FormerConnection } from "../connections/old-callback-secrets.ts";
import { ttlCache } from "../kernel/cache.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { isUuid } from "../kernel/ids.ts";
import { logger } from "../kernel/log.ts";
import { findChannel, findConnections, selectUsedChannels } from "./queries.ts";
import type { FoundChannel } from "./queries.ts";

/** One of the operator's channels, ready to use. Its credentials are in the clear, so it never leaves the process. */
export interface PlatformChannel {
  id: string;
  name: string;
  adapter: Adapter;
  connection: Connection;
  /** With what its callbacks were verified before. */
  former: readonly FormerConnection[];
  /** The channel's stored settings; a connection's own are merged over them. */
  settings: Record<string, unknown>;
}

const byId = ttlCache<PlatformChannel>({
  name: "platform channels",
  ttlMs: 1_000,
  max: 1_000,
  ahead: true,
  purge: true,
});

function open(row: FoundChannel, sharedBy?: string[]): PlatformChannel | undefined {
  const adapter = findAdapter(row.adapter);
  if (!adapter) return undefined;
  try {
    const credentials = openChannelCredentials(row.id, row.credentials);
    const connection = {
      id: row.id,
      credentials: adapter.credentialsSchema.parse(credentials),
      settings: adapter.settingsSchema.parse(row.settings),
      ...(sharedBy && { sharedBy }),
    };
    const old = openOldChannelSecrets(row.id, row.credentials, new Date());
    const former = formerConnections(adapter, connection, credentials, old);
    return { id: row.id, name: row.name, adapter, connection, former, settings: row.settings };
  } catch (error) {
    logger().error({ err: error, channelId: row.id }, "an operator's channel cannot be read");
    return undefined;
  }
}

/**
 * A channel by its id, enabled or not, because reports about earlier messages still arrive. Null when there is none. At
 * most a second old.
 */
export async function platformChannel(db: Ctx["db"], id: string): Promise<PlatformChannel | null> {
  if (!isUuid(id)) return null;
  const channel = await byId.get(id, async () => {
    const row = await findChannel(db, id);
    if (!row) return undefined;
    const reports = findAdapter(row.adapter)?.parseCallback !== undefined;
    return open(row, reports ? (await findConnections(db.pool, id)).map((each) => each.id) : undefined);
  });
  return channel ?? null;
}

/** The enabled channels in use whose provider reports over a session; for the worker. */
export async function listeningChannels(db: Ctx["db"]): Promise<PlatformChannel[]> {
  const adapters = allAdapters().filter((adapter) => adapter.listen !== undefined);
  const rows = await selectUsedChannels(
    db,
    adapters.map((adapter) => adapter.name),
  );
  return rows.flatMap((row) => open(row) ?? []);
}
