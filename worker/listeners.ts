import { createHash } from "node:crypto";
import type { Adapter, Connection } from "../server/adapters/adapter.ts";
import { listeningConnections } from "../server/connections/load-connection.ts";
import type { Db } from "../server/kernel/db.ts";
import type { Logger } from "../server/kernel/log.ts";
import type { OutboundClient } from "../server/kernel/outbound-http.ts";
import { listeningChannels } from "../server/platform/load-channel.ts";
import { recordTold } from "../server/sending/record-told.ts";
import type { ToldSource } from "../server/sending/record-told.ts";

const everyMs = 2_000;

/** A session that should be open. */
interface Wanted {
  adapter: Adapter;
  connection: Connection;
  source: ToldSource;
}

/**
 * Keeps the sessions open over which providers tell by themselves: one for each enabled connection and for each of the
 * operator's channels that somebody uses. What is enabled, changed or switched off is noticed within two seconds.
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

  /** Ends all sessions; what is being told is stored first. */
  async close(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.refreshing;
    for (const id of [...this.running.keys()]) this.end(id);
    await Promise.all(this.closing);
  }

  /** Compares what should run with what does. When the database does not answer, what runs goes on. */
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
      onTold: (told) => recordTold({ db: this.deps.db }, source, told),
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

/** What a change of needs another session; a new name or price does not. Hashed: credentials are not kept twice. */
function configurationOf({ adapter, connection }: Wanted): string {
  const { credentials, settings } = connection;
  return createHash("sha256")
    .update(JSON.stringify([adapter.name, credentials, settings]))
    .digest("base64");
}
