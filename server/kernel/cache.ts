import { LRUCache } from "lru-cache";

type Load = () => Promise<object | undefined>;
type Store = LRUCache<string, object, Load>;

const key = Symbol.for("tidings.caches");
const shared = globalThis as typeof globalThis & { [key]?: Map<string, Store> };

/**
 * A bounded cache whose entries live for `ttlMs`; concurrent misses of one key share one load. Missing values
 * (undefined) are not cached, so a thing just created is found at once. The time bounds how long a change elsewhere
 * stays unseen: 2 s are allowed for routing, 5 s for keys.
 *
 * There is one cache of a `name` in a process, on globalThis: the web process has this module more than once, and a
 * change made through one copy must not survive in another's cache.
 */
export function ttlCache<Value extends object>(options: {
  name: string;
  ttlMs: number;
  max: number;
  /** Entries are removed when their time is over, not at the next access: they hold something secret. */
  purge?: boolean;
}) {
  const all = (shared[key] ??= new Map<string, Store>());
  let store = all.get(options.name);
  if (!store) {
    const { max, ttlMs: ttl, purge: ttlAutopurge = false } = options;
    store = new LRUCache({
      max,
      ttl,
      ttlAutopurge,
      fetchMethod: (_key, _stale, { context: load }) => load(),
      // Callers who wait when a key is forgotten get the loaded value; it is not cached.
      ignoreFetchAbort: true,
    });
    all.set(options.name, store);
  }
  const cache = store as unknown as LRUCache<string, Value, () => Promise<Value | undefined>>;
  return {
    get: (key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined> =>
      cache.fetch(key, { context: load }),
    /** Forgets one key, or all: this process sees its own changes at once. */
    forget(key?: string): void {
      if (key === undefined) cache.clear();
      else cache.delete(key);
    },
  };
}
