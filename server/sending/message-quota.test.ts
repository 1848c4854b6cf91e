import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { takeMessageQuota } from "../access/rate-limit.ts";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { restClient } from "../testing/rest-client.ts";
import { makeSendingWorld, sendBody } from "../testing/sending-world.ts";
import type { SendResponse } from "./schemas.ts";

vi.hoisted(() => {
  vi.stubEnv("MESSAGES_PER_MINUTE", "1000");
  vi.stubEnv("SANDBOX_MESSAGES_PER_MINUTE", "1000");
});

const database = await testDatabase();
const rest = restClient(database.web);
const world = await makeSendingWorld(database);
const { tenant, tenantId } = world;
const { key } = await tenant.makeKey("production", { rateLimitPerMinute: 100_000 });
const { key: sandboxKey } = await tenant.makeKey("sandbox", { rateLimitPerMinute: 100_000 });

const minute = 60_000;
const start = Date.now() - (Date.now() % minute) + 1;
let minutes = 0;
// A minute of its own for each, so that none ends during a test. Counts stay in this process: its database has another
// time.
beforeAll(() => vi.useFakeTimers({ now: start, toFake: ["Date"] }));
beforeEach(() => {
  vi.setSystemTime(start + minute * minutes++);
  // 20 are left.
  takeMessageQuota(
    { db: database.web, tenantId },
    { id: tenant.environments.production, kind: "production" },
    980,
  );
});
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

const send = (recipients: number, more: { transactionId?: string; key?: string } = {}) =>
  rest.post<SendResponse>("/api/app/notifications/send", {
    key: more.key ?? key,
    json: sendBody({
      transactionId: more.transactionId ?? newId(),
      recipients: Array.from({ length: recipients }, (_, i) => ({
        channel: "sms",
        recipient: `+49151123456${String(10 + i)}`,
      })),
    }),
  });
const stored = async () =>
  (
    await database.owner.query<{ n: number }>(
      "SELECT count(*)::int AS n FROM notifications WHERE tenant_id = $1",
      [tenantId],
    )
  ).rows[0]?.n;

describe("the messages of an environment in a minute", () => {
  it("are refused with 429 beyond its quota, and none of the request is written", async () => {
    expect((await send(10)).status).toBe(202);
    expect((await send(8)).status).toBe(202);
    const before = await stored();
    const refused = await send(3);
    expect(refused).toMatchObject({
      status: 429,
      body: { code: "rate_limited", detail: "This environment may send 1000 messages a minute." },
    });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await stored()).toBe(before);
    expect((await send(2)).status).toBe(202);
    expect((await send(1)).status).toBe(429);
    expect((await send(1, { key: sandboxKey })).status).toBe(202);
  });

  it("leave out requests that failed: a caller may try again", async () => {
    const rename = (from: string, to: string) =>
      database.owner.query(`ALTER FUNCTION ${from} RENAME TO ${to}`);
    await rename("accept_sends", "accept_sends_away");
    try {
      for (let i = 0; i < 5; i++) expect((await send(10)).status).toBe(500);
    } finally {
      await rename("accept_sends_away", "accept_sends");
    }
    expect((await send(20)).status).toBe(202);
    expect((await send(1)).status).toBe(429);
  });

  it("leave out repetitions, which write nothing", async () => {
    const transactionId = newId();
    for (let i = 0; i < 5; i++) expect((await send(8, { transactionId })).status).toBe(202);
    expect((await send(12)).status).toBe(202);
    expect((await send(1)).status).toBe(429);
  });
});
