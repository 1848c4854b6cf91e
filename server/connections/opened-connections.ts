import { LRUCache } from "lru-cache";
import type { ProviderConnection } from "./load-connection.ts";

/** How many are held, and for how long, whether they are used or not. */
export const openedLimits = { max: 5_000, ttlMs: 60_000 };

/**
 * Connections with decrypted credentials, so that not every load has to decrypt and parse them. Holds the newest
 * enabled ones for a minute; those that this process changes, switches off or deletes are dropped at once, those that
 * another process does with the next load or when their minute is over.
 */
export class OpenedConnections {
  private readonly held: LRUCache<string, { updatedAt: number; value: ProviderConnection }>;

  constructor(limits = openedLimits) {
    this.held = new LRUCache({ max: limits.max, ttl: limits.ttlMs, ttlAutopurge: true });
  }

  get size(): number {
    return this.held.size;
  }

  /** The connection as of `updatedAt`; calls `open` when it is not held. */
  get(
    of: { tenantId: string; id: string; updatedAt: Date; enabled: boolean },
    open: () => ProviderConnection | undefined,
  ): ProviderConnection | undefined {
    const updatedAt = of.updatedAt.getTime();
    const known = this.held.get(of.id);
    if (of.enabled && known?.updatedAt === updatedAt && known.value.tenantId === of.tenantId)
      return known.value;
    this.held.delete(of.id);
    const value = open();
    if (value && of.enabled) this.held.set(of.id, { updatedAt, value });
    return value;
  }

  /** Wipes what is held for a tenant. */
  forget(tenantId: string): void {
    for (const [id, { value }] of [...this.held.entries()])
      if (value.tenantId === tenantId) this.held.delete(id);
  }
}
