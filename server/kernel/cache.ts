import { LRUCache } from "lru-cache";

type Load = () => Promise<object | undefined>;
type Store = LRUCache<string, object, Load>;

const key = Symbol.for("tidings.caches");
const shared = globalThis as typeof globalThis & { [key]?: Map<string, Store> };

/** Of an entry's time; when so much is left or less, the next caller has it loaded anew. */
const loadedAhead = 0.4;

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
  /**
   * What is asked for all the time is loaded again before its time is over, while callers go on with what there is: none of them
   * waits for the database. The time holds all the same, also when loading fails.
   */
  ahead?: boolean;
  /** What all values together may weigh, for values of very different sizes; one that is heavier by itself is not kept. */
  weight?: { max: number; of: (value: Value) => number };
}) {
  const all = (shared[key] ??= new Map<string, Store>());
  let store = all.get(options.name);
  if (!store) {
    const { max, ttlMs: ttl, purge: ttlAutopurge = false, weight } = options;
    store = new LRUCache({
      max,
      ...(weight && { maxSize: weight.max, sizeCalculation: (value) => weight.of(value as Value) }),
      ttl,
      ttlAutopurge,
      fetchMethod: (_key, _stale, { context: load }) => load(),
      // Callers who wait when a key is forgotten get the loaded value; it is not cached.
      ignoreFetchAbort: true,
      // Read anew each time, so that tests can set the clock.
      perf: { now: () => performance.now() },
    });
    all.set(options.name, store);
  }
  const cache = store as unknown as LRUCache<string, Value, () => Promise<Value | undefined>>;
  const aheadMs = options.ahead ? options.ttlMs * loadedAhead : 0;
  return {
    get(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined> {
      const left = aheadMs > 0 ? cache.getRemainingTTL(key) : 0;
      return left > 0 && left <= aheadMs
        ? cache.fetch(key, {
            context: load,
            forceRefresh: true,
            allowStale: true,
            noDeleteOnFetchRejection: true,
          })
        : cache.fetch(key, { context: load });
    },
    /** Forgets one key, or all: this process sees its own changes at once. */
    forget(key?: string): void {
      if (key === undefined) cache.clear();
      else cache.delete(key);
    },
  };
}
