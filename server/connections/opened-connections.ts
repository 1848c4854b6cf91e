import { LRUCache } from "lru-cache";
import type { ProviderConnection } from "./load-connection.ts";

/** So many are held, and each for so long, whether it is used or not. */
export const openedLimits = { max: 5_000, ttlMs: 60_000 };

/**
 * Connections with their credentials in the clear, so that not every load has to open and parse them. Of those that are
 * enabled the newest ones, for a minute; what is changed, switched off or deleted by this process is gone at once, by
 * another one with the next load, or when its minute is over.
 */
export class OpenedConnections {
  private readonly held: LRUCache<string, { updatedAt: number; value: ProviderConnection }>;

  constructor(limits = openedLimits) {
    this.held = new LRUCache({ max: limits.max, ttl: limits.ttlMs, ttlAutopurge: true });
  }

  get size(): number {
    return this.held.size;
  }

  /** The connection as it was at `updatedAt`; opened by `open` when it is not held. */
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

  /** Wipes what is held of a tenant. */
  forget(tenantId: string): void {
    for (const [id, { value }] of [...this.held.entries()])
      if (value.tenantId === tenantId) this.held.delete(id);
  }
}
