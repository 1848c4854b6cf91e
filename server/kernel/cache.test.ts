import { beforeEach, expect, it, vi } from "vitest";
import { ttlCache } from "./cache.ts";

beforeEach(async () => {
  vi.useFakeTimers();
  // At 0 the cache believes that there is no time.
  await pass(1);
  return () => vi.useRealTimers();
});
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

it("copies of a module share one cache: what one forgets is gone for the other", async () => {
  const one = ttlCache<{ n: number }>({ name: "test", ttlMs: 60_000, max: 10 });
  const other = ttlCache<{ n: number }>({ name: "test", ttlMs: 60_000, max: 10 });
  await one.get("a", () => Promise.resolve({ n: 1 }));
  expect(await other.get("a", () => Promise.resolve({ n: 2 }))).toEqual({ n: 1 });
  other.forget("a");
  expect(await one.get("a", () => Promise.resolve({ n: 3 }))).toEqual({ n: 3 });
  other.forget();
  expect(await one.get("a", () => Promise.resolve({ n: 4 }))).toEqual({ n: 4 });
});

it("keeps caches of different names apart", async () => {
  const one = ttlCache<{ n: number }>({ name: "test one", ttlMs: 60_000, max: 10 });
  const other = ttlCache<{ n: number }>({ name: "test other", ttlMs: 60_000, max: 10 });
  await one.get("a", () => Promise.resolve({ n: 1 }));
  expect(await other.get("a", () => Promise.resolve({ n: 2 }))).toEqual({ n: 2 });
});

const fresh = (name: string) => ttlCache<{ n: number }>({ name, ttlMs: 60_000, max: 10 });

it("loads once for concurrent callers", async () => {
  const cache = fresh("test shared");
  let loads = 0;
  const load = () => Promise.resolve({ n: ++loads });
  expect(await Promise.all([cache.get("a", load), cache.get("a", load)])).toEqual([{ n: 1 }, { n: 1 }]);
});

it("does not keep what was forgotten while it was being loaded", async () => {
  const cache = fresh("test forgotten");
  for (const forget of [() => cache.forget("a"), () => cache.forget()]) {
    const { promise, resolve } = Promise.withResolvers<{ n: number }>();
    const early = cache.get("a", () => promise);
    forget();
    const late = cache.get("a", () => Promise.resolve({ n: 2 }));
    resolve({ n: 1 });
    expect([await early, await late]).toEqual([{ n: 1 }, { n: 2 }]);
    expect(await cache.get("a", () => Promise.resolve({ n: 3 }))).toEqual({ n: 2 });
    cache.forget();
  }
});

it("keeps neither failures nor missing values", async () => {
  const cache = fresh("test failed");
  await expect(cache.get("a", () => Promise.reject(new Error("away")))).rejects.toThrow("away");
  expect(await cache.get("a", () => Promise.resolve(undefined))).toBeUndefined();
  expect(await cache.get("a", () => Promise.resolve({ n: 1 }))).toEqual({ n: 1 });
});

const ahead = (name: string) => ttlCache<{ n: number }>({ name, ttlMs: 200, max: 10, ahead: true });

it("loads ahead of time while callers go on with what there is", async () => {
  const cache = ahead("test ahead");
  await cache.get("a", () => Promise.resolve({ n: 1 }));
  expect(await cache.get("a", () => Promise.reject(new Error("too early")))).toEqual({ n: 1 });
  await pass(140);
  const slow = Promise.withResolvers<{ n: number }>();
  let loads = 0;
  const load = () => (loads++, slow.promise);
  expect([await cache.get("a", load), await cache.get("a", load)]).toEqual([{ n: 1 }, { n: 1 }]);
  expect(loads).toBe(1);
  slow.resolve({ n: 2 });
  await pass(5);
  expect(await cache.get("a", load)).toEqual({ n: 2 });
  expect(loads).toBe(1);
});

it("gives nothing away beyond its time, however long loading ahead takes or fails", async () => {
  const cache = ahead("test ahead expired");
  for (const loading of [
    () => Promise.reject(new Error("away")),
    () => new Promise<{ n: number }>((resolve) => void setTimeout(() => resolve({ n: 3 }), 300)),
    () => Promise.resolve(undefined),
  ]) {
    cache.forget();
    await cache.get("a", () => Promise.resolve({ n: 1 }));
    await pass(140);
    expect(await cache.get("a", loading)).toEqual({ n: 1 });
    await pass(80);
    const late = cache.get("a", () => Promise.resolve({ n: 3 }));
    await pass(300);
    expect(await late).toEqual({ n: 3 });
  }
});

it("does not bring back what was forgotten while it was loaded ahead", async () => {
  const cache = ahead("test ahead forgotten");
  await cache.get("a", () => Promise.resolve({ n: 1 }));
  await pass(140);
  const slow = Promise.withResolvers<{ n: number }>();
  expect(await cache.get("a", () => slow.promise)).toEqual({ n: 1 });
  cache.forget("a");
  slow.resolve({ n: 1 });
  expect(await cache.get("a", () => Promise.resolve({ n: 2 }))).toEqual({ n: 2 });
  await pass(10);
  expect(await cache.get("a", () => Promise.resolve({ n: 3 }))).toEqual({ n: 2 });
});

it("holds what it may weigh, and not what is heavier by itself", async () => {
  const weight = { max: 10, of: ({ n }: { n: number }) => n };
  const cache = ttlCache<{ n: number }>({ name: "test weight", ttlMs: 60_000, max: 10, weight });
  let loads = 0;
  const get = (key: string, n: number) => cache.get(key, () => Promise.resolve({ n, load: ++loads }));
  await get("a", 6);
  await get("b", 6);
  expect(await get("b", 6)).toMatchObject({ load: 2 });
  expect(await get("a", 6)).toMatchObject({ load: 3 });
  await get("c", 11);
  expect(await get("c", 11)).toMatchObject({ n: 11, load: 5 });
});
