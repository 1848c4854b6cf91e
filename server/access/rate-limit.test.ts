import { expect, test, vi } from "vitest";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { RateLimiter, takeMessageQuota } from "./rate-limit.ts";

const database = await testDatabase();
const tenant = await makeTenant(database);
const minute = Date.UTC(2027, 0, 1, 12, 0, 0);

const key = (limit: number) => ({ id: newId(), tenantId: tenant.tenantId, rateLimitPerMinute: limit });
const take = (limiter: RateLimiter, of: ReturnType<typeof key>, count: number, now: number) =>
  Array.from({ length: count }, () => limiter.take(of, now)).filter((rate) => rate.allowed).length;

test("a key may make as many requests a minute as its limit, and starts afresh in the next minute", () => {
  const limiter = new RateLimiter(database.web);
  const mine = key(10);
  expect(limiter.take(mine, minute)).toEqual({ limit: 10, remaining: 9, resetSeconds: 60, allowed: true });
  expect(take(limiter, mine, 20, minute + 30_000)).toBe(9);
  expect(limiter.take(mine, minute + 59_999)).toEqual({
    limit: 10,
    remaining: 0,
    resetSeconds: 1,
    allowed: false,
  });
  expect(limiter.take(mine, minute + 60_000)).toMatchObject({ remaining: 9, allowed: true });
});

test("keys do not share their limits", () => {
  const limiter = new RateLimiter(database.web);
  const [one, two] = [key(5), key(5)];
  expect(take(limiter, one, 10, minute)).toBe(5);
  expect(take(limiter, two, 10, minute)).toBe(5);
});

test("processes learn of each other's requests with one exchange", async () => {
  const [here, there] = [new RateLimiter(database.web), new RateLimiter(database.web)];
  const mine = key(100);
  const now = Date.now();
  take(here, mine, 60, now);
  take(there, mine, 30, now);
  await here.exchange(now);
  await there.exchange(now);
  expect(there.take(mine, now).remaining).toBe(9);
  // Refused requests are not counted; counts are not reported twice.
  expect(take(there, mine, 50, now)).toBe(9);
  await there.exchange(now);
  expect(here.take(mine, now).remaining).toBe(39);
  await here.exchange(now);
  expect(here.take(mine, now).allowed).toBe(false);
});

test("keys of several tenants are reported in one statement, under the web role", async () => {
  const other = await makeTenant(database);
  const [here, there] = [new RateLimiter(database.web), new RateLimiter(database.web)];
  const keys = [key(10), { ...key(10), tenantId: other.tenantId }];
  const now = Date.now();
  for (const one of keys) take(here, one, 10, now);
  await here.exchange(now);
  for (const one of keys) there.take(one, now);
  await there.exchange(now);
  for (const one of keys) expect(there.take(one, now).allowed).toBe(false);
});

test("requests that arrive during an exchange are kept for the next", async () => {
  const [here, there] = [new RateLimiter(database.web), new RateLimiter(database.web)];
  const mine = key(100);
  const now = Date.now();
  take(here, mine, 10, now);
  const exchange = here.exchange(now);
  take(here, mine, 5, now);
  await exchange;
  await here.exchange(now);
  there.take(mine, now);
  await there.exchange(now);
  expect(there.take(mine, now).remaining).toBe(100 - 17);
});

test("without the database each process limits by its own counts", async () => {
  const broken = { ...database.web, pool: { query: () => Promise.reject(new Error("gone")) } };
  const limiter = new RateLimiter(broken as unknown as typeof database.web);
  const mine = key(10);
  const now = Date.now();
  expect(take(limiter, mine, 5, now)).toBe(5);
  await limiter.exchange(now);
  expect(take(limiter, mine, 20, now)).toBe(5);
});

test("requests that came to nothing are given back, reported or not, and never more than were taken", async () => {
  const limiter = new RateLimiter(database.web);
  const mine = key(10);
  const now = Date.now();
  expect(take(limiter, mine, 20, now)).toBe(10);
  limiter.giveBack(mine.id, now, 4);
  expect(take(limiter, mine, 20, now)).toBe(4);
  await limiter.exchange(now);
  limiter.giveBack(mine.id, now, 3);
  expect(take(limiter, mine, 20, now)).toBe(3);
  limiter.giveBack(mine.id, now, 1_000);
  expect(take(limiter, mine, 20, now)).toBe(10);

  const other = key(10);
  take(limiter, other, 10, now);
  const exchanging = limiter.exchange(now);
  limiter.giveBack(other.id, now, 1_000);
  await exchanging;
  expect(take(limiter, other, 20, now)).toBe(10);

  // The next minute is not affected.
  expect(take(limiter, other, 20, now + 60_000)).toBe(10);
  limiter.giveBack(other.id, now, 10);
  expect(take(limiter, other, 20, now + 60_000)).toBe(0);
});

test("past minutes leave the table", async () => {
  await database.owner.query("INSERT INTO rate_windows VALUES ($1, $2, now() - interval '1 hour', 1)", [
    tenant.tenantId,
    newId(),
  ]);
  const limiter = new RateLimiter(database.web);
  limiter.take(key(10));
  await limiter.exchange();
  const { rows } = await database.owner.query<{ count: string }>(
    "SELECT count(*) FROM rate_windows WHERE window_start < now() - interval '30 min'",
  );
  expect(rows[0]?.count).toBe("0");
});

test("an environment's messages are counted, not the requests; sandboxes have less, and other environments do not count", () => {
  const [one, other] = [newId(), newId()];
  const production = { id: newId(), kind: "production" };
  const sandbox = { id: newId(), kind: "sandbox" };
  const take = (tenantId: string, environment: typeof sandbox, messages: number) => () => {
    takeMessageQuota({ db: database.web, tenantId }, environment, messages);
  };
  vi.useFakeTimers({ now: 1_700_000_040_000, toFake: ["Date"] });
  try {
    for (let request = 0; request < 60; request++) take(one, sandbox, 1_000)();
    expect(take(one, sandbox, 1)).toThrow("A sandbox may send 60000 messages a minute.");
    expect(take(one, production, 1_000)).not.toThrow();
    expect(take(other, { id: newId(), kind: "sandbox" }, 1_000)).not.toThrow();
    vi.setSystemTime(1_700_000_100_000);
    expect(take(one, sandbox, 1_000)).not.toThrow();
  } finally {
    vi.useRealTimers();
  }
});
