import { LRUCache } from "lru-cache";

/**
 * A bounded cache whose entries live for `ttlMs`; concurrent misses of one key share one load. What is not found
 * (undefined) is not kept, so a thing just created is found at once. Times bound how long a change elsewhere stays
 * unseen: DECISIONS §7 allows 2 s for routing, §1 5 s for keys.
 */
export function ttlCache<Value extends object>(options: {
  ttlMs: number;
  max: number;
  /** Entries are let go when their time is over, not when they are asked for next: they hold something secret. */
  purge?: boolean;
}) {
  const { ttlMs: ttl, max, purge: ttlAutopurge = false } = options;
  const cache = new LRUCache<string, Value>({ max, ttl, ttlAutopurge });
  const loading = new Map<string, Promise<Value | undefined>>();
  return {
    async get(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined> {
      const hit = cache.get(key);
      if (hit !== undefined) return hit;
      const underWay = loading.get(key);
      if (underWay) return underWay;
      const promise = load()
        .then((value) => {
          if (value !== undefined && loading.get(key) === promise) cache.set(key, value);
          return value;
        })
        .finally(() => {
          if (loading.get(key) === promise) loading.delete(key);
        });
      loading.set(key, promise);
      return promise;
    },
    /** Forgets one key, or all: this process sees its own changes at once. */
    forget(key?: string): void {
      if (key === undefined) {
        cache.clear();
        loading.clear();
      } else {
        cache.delete(key);
        loading.delete(key);
      }
    },
  };
}
