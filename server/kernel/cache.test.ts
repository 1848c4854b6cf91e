import { expect, it } from "vitest";
import { ttlCache } from "./cache.ts";

it("is one cache for all copies of a module: what one forgets is gone for the other", async () => {
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
