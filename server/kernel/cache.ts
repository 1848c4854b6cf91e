import { LRUCache } from "lru-cache";

interface Store {
  cache: LRUCache<string, object>;
  loading: Map<string, Promise<object | undefined>>;
}

const key = Symbol.for("tidings.caches");
const shared = globalThis as typeof globalThis & { [key]?: Map<string, Store> };

/**
 * A bounded cache whose entries live for `ttlMs`; concurrent misses of one key share one load. What is not found
 * (undefined) is not kept, so a thing just created is found at once. Times bound how long a change elsewhere stays
 * unseen: 2 s are allowed for routing, 5 s for keys.
 *
 * There is one cache of a `name` in a process, on globalThis: the web process has this module more than once, and what one
 * copy's use cases change must not live on in another's cache.
 */
export function ttlCache<Value extends object>(options: {
  name: string;
  ttlMs: number;
  max: number;
  /** Entries are let go when their time is over, not when they are asked for next: they hold something secret. */
  purge?: boolean;
}) {
  const all = (shared[key] ??= new Map<string, Store>());
  let store = all.get(options.name);
  if (!store) {
    const { max, ttlMs: ttl, purge: ttlAutopurge = false } = options;
    store = { cache: new LRUCache({ max, ttl, ttlAutopurge }), loading: new Map() };
    all.set(options.name, store);
  }
  const cache = store.cache as unknown as LRUCache<string, Value>;
  const loading = store.loading as Map<string, Promise<Value | undefined>>;
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
