import { createHash } from "node:crypto";
import type { Adapter, Connection } from "../server/adapters/adapter.ts";
import { listeningConnections } from "../server/connections/load-connection.ts";
import type { Db } from "../server/kernel/db.ts";
import type { Logger } from "../server/kernel/log.ts";
import type { OutboundClient } from "../server/kernel/outbound-http.ts";
import { listeningChannels } from "../server/platform/load-channel.ts";
import { recordProviderEvents } from "../server/sending/record-provider-events.ts";
import type { ProviderEventSource } from "../server/sending/record-provider-events.ts";

const everyMs = 2_000;

/** A session that should be open. */
interface Wanted {
  adapter: Adapter;
  connection: Connection;
  source: ProviderEventSource;
}

/**
 * Keeps open the sessions over which providers report events: one for each enabled connection and for each of the
 * operator's channels that is in use. Changes to connections and channels take effect within two seconds.
 */
export class Listeners {
  private readonly deps: { db: Db; http: OutboundClient; log: Logger };
  private readonly running = new Map<string, { configuration: string; close: () => Promise<void> }>();
  private readonly closing = new Set<Promise<void>>();
  private timer: NodeJS.Timeout | undefined;
  private refreshing: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(deps: { db: Db; http: OutboundClient; log: Logger }) {
    this.deps = deps;
  }

  start(): void {
    this.refreshing = this.refresh().finally(() => {
      if (!this.stopped) this.timer = setTimeout(() => this.start(), everyMs);
    });
  }

  /** Ends all sessions, after the events that are being received are stored. */
  async close(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.refreshing;
    for (const id of [...this.running.keys()]) this.end(id);
    await Promise.all(this.closing);
  }

  /** Starts and ends sessions as configured. If the database does not answer, the running ones continue. */
  async refresh(): Promise<void> {
    let wanted: Map<string, Wanted>;
    try {
      wanted = await this.wanted();
    } catch (error) {
      this.deps.log.warn({ err: error }, "looking for connections to listen to failed");
      return;
    }
    for (const [id, { configuration }] of [...this.running]) {
      const entry = wanted.get(id);
      if (!entry || configurationOf(entry) !== configuration) this.end(id);
    }
    if (this.stopped) return;
    for (const [id, entry] of wanted) if (!this.running.has(id)) this.begin(id, entry);
  }

  private async wanted(): Promise<Map<string, Wanted>> {
    const { db } = this.deps;
    const [connections, channels] = await Promise.all([listeningConnections(db), listeningChannels(db)]);
    const wanted = new Map<string, Wanted>();
    for (const own of connections) wanted.set(own.id, { ...own, source: { own } });
    for (const channel of channels) wanted.set(channel.id, { ...channel, source: { channel } });
    return wanted;
  }

  private begin(id: string, { adapter, connection, source }: Wanted): void {
    const listening = adapter.listen?.(connection, {
      http: this.deps.http,
      log: this.deps.log.child({ adapter: adapter.name }),
      onEvents: (events) => recordProviderEvents({ db: this.deps.db }, source, events),
    });
    if (!listening) return;
    const configuration = configurationOf({ adapter, connection, source });
    this.running.set(id, { configuration, close: () => listening.close() });
  }

  private end(id: string): void {
    const running = this.running.get(id);
    this.running.delete(id);
    if (!running) return;
    const closing = running.close().catch((error: unknown) => {
      this.deps.log.error({ err: error, connectionId: id }, "ending a session failed");
    });
    this.closing.add(closing);
    void closing.finally(() => this.closing.delete(closing));
  }
}

/**
 * A hash of what needs a new session when it changes; a name or price does not. Hashed, so that credentials are not
 * kept twice.
 */
function configurationOf({ adapter, connection }: Wanted): string {
  const { credentials, settings } = connection;
  return createHash("sha256")
    .update(JSON.stringify([adapter.name, credentials, settings]))
    .digest("base64");
}
