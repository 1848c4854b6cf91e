import { expect, it } from "vitest";
import { ttlCache } from "./cache.ts";

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
