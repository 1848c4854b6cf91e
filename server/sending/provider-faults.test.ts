import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import type { AddressInfo, Server } from "node:net";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { findAdapter } from "../adapters/adapters.ts";
import { forgetHealth, tenantHealth } from "../connections/connection-state.ts";
import { testDatabase } from "../testing/database.ts";
import { startFakeTwilio } from "../testing/fake-twilio.ts";
import type { FakeMode } from "../testing/fake-twilio.ts";
import { makeSendingWorld, messageId } from "../testing/sending-world.ts";
import type { SendFields } from "../testing/sending-world.ts";
import { getTimeline } from "./get-timeline.ts";

const database = await testDatabase();
const primary = await startFakeTwilio();
const secondary = await startFakeTwilio();
const revokedAccount = await startFakeTwilio({ account: { accountSid: "AC0", authToken: "0" } });
const gone = await startFakeTwilio();
await gone.close();
/** Accepts every message and reports absurd values. */
const absurd = createHttpServer((request, response) => {
  request.resume();
  response.writeHead(201, { "content-type": "application/json" });
  response.end(
    JSON.stringify({
      sid: `SM${"0a".repeat(16)}`,
      status: "queued",
      num_segments: "99999999999",
      price: "9".repeat(40),
      price_unit: "USD",
    }),
  );
});
absurd.listen(0, "127.0.0.1");
await once(absurd, "listening");
/** Answers a TLS greeting with something else. */
const noTls: Server = createServer((socket) => {
  socket.on("error", () => undefined);
  socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
});
await new Promise<void>((resolve) => noTls.listen(0, "127.0.0.1", resolve));
afterAll(async () => {
  noTls.close();
  absurd.close();
  await Promise.all([primary.close(), secondary.close(), revokedAccount.close()]);
});

beforeEach(async () => {
  await database.owner.query("DELETE FROM graphile_worker._private_jobs");
  for (const fake of [primary, secondary]) {
    fake.setMode({ kind: "ok" });
    fake.messages.length = 0;
  }
});

const transaction: SendFields = {};
const otp: SendFields = { notificationType: "authentication", notificationSubtype: "one_time_passcode" };
const service: SendFields = { notificationType: "account", notificationSubtype: "maintenance" };

async function makeWorld(baseUrl = primary.baseUrl, attemptTimeoutMs = 300) {
  const world = await makeSendingWorld(database, { deps: { attemptTimeoutMs } });
  const a = (await world.addTwilio(baseUrl, { name: "Primary" })).id;
  const b = (await world.addTwilio(secondary.baseUrl, { name: "Secondary" })).id;
  await world.addRule("production", [[a], [b]], { channel: "sms" });
  const run = async () => {
    await world.runJobs();
    await world.health.settled();
  };
  const send = async (fields: SendFields) => {
    const id = messageId(await world.send(fields));
    await run();
    return id;
  };
  return {
    ...world,
    a,
    run,
    sendOne: send,
    /** Lets the longest wait for a receipt pass, `times` times. */
    waitOut: async (times: number) => {
      for (let index = 0; index < times; index++) {
        await world.passTime(10 * 60_000);
        await run();
      }
    },
    outcomes: async (id: string) =>
      (await getTimeline(world.tenant.system, { id })).attempts.map(({ provider, outcome, code }) =>
        [provider, outcome, code].filter((part) => part !== null).join(" "),
      ),
    breaker: async () => {
      forgetHealth(world.tenantId);
      const health = (await tenantHealth(world.tenant.worker)).get(a);
      return health ? `${health.breaker} ${health.reasonCode ?? ""}` : "closed";
    },
  };
}

describe("a provider that reports absurd numbers", () => {
  it("has still sent the message: the outcome is written without them", async () => {
    const world = await makeWorld(`http://127.0.0.1:${String((absurd.address() as AddressInfo).port)}`);
    const id = await world.sendOne(transaction);
    expect(await world.notification(id)).toMatchObject({ status: "sent", open_attempt: null, attempts: 1 });
    const { rows } = await database.owner.query("SELECT segments FROM notifications WHERE id = $1", [id]);
    expect(rows).toEqual([{ segments: 1 }]);
  });
});

describe("a fault before the provider has the message", () => {
  const address = noTls.address() as AddressInfo;
  it.each([
    ["it refuses connections", gone.baseUrl, "provider_unavailable", "closed"],
    [
      "TLS cannot be agreed on",
      `https://127.0.0.1:${String(address.port)}`,
      "provider_unavailable",
      "closed",
    ],
    [
      "it has revoked the credentials",
      revokedAccount.baseUrl,
      "provider_credentials",
      "open provider_credentials",
    ],
  ])("sends it over the next connection at once, and once: %s", async (_what, baseUrl, code, breaker) => {
    for (const fields of [otp, transaction, service]) {
      secondary.messages.length = 0;
      const world = await makeWorld(baseUrl);
      const id = await world.sendOne(fields);
      expect(await world.outcomes(id)).toEqual([`Primary not_sent ${code}`, "Secondary sent"]);
      expect(secondary.messages).toHaveLength(1);
      expect(await world.notification(id)).toMatchObject({ status: "sent", failure: null });
      expect(await world.breaker()).toBe(breaker);
    }
  });

  it("opens the connection after five, and the next messages go only to the other one", async () => {
    const world = await makeWorld(gone.baseUrl);
    for (let index = 0; index < 5; index++) await world.sendOne(transaction);
    expect(await world.breaker()).toBe("open provider_unavailable");
    const id = await world.sendOne(transaction);
    expect(await world.outcomes(id)).toEqual(["Secondary sent"]);
  });
});

describe("a refusal", () => {
  const refusing = (code: number): FakeMode => ({ kind: "error", status: 400, code });

  /** These answer at once: a busy machine is not to be taken for a provider that does not answer. */
  const patient = 10_000;

  /** Only Primary carries it. */
  async function alone() {
    const world = await makeSendingWorld(database, { deps: { attemptTimeoutMs: patient } });
    const { id } = await world.addTwilio(primary.baseUrl, { name: "Primary" });
    await world.addRule("production", [[id]], { channel: "sms" });
    return {
      ...world,
      sendOne: async (fields: SendFields) => {
        const id = messageId(await world.send(fields));
        await world.runJobs();
        return id;
      },
    };
  }

  it.each([
    ["to its own number", 21266, "invalid_recipient"],
    ["to a landline", 21635, "invalid_recipient"],
    ["of the text", 21617, "content_rejected"],
  ])("that every connection would repeat ends the message at once: %s", async (_what, number, code) => {
    for (const fields of [otp, transaction, service]) {
      const world = await makeWorld(primary.baseUrl, patient);
      primary.setMode(refusing(number));
      const id = await world.sendOne(fields);
      expect(await world.outcomes(id)).toEqual([`Primary not_sent ${code}`]);
      expect(secondary.messages).toEqual([]);
      expect(await world.notification(id)).toMatchObject({
        status: "failed",
        due_at: null,
        failure: { code, providerCode: String(number) },
      });
    }
  });

  it.each([
    ["of the sender", 21606, "sender_rejected"],
    ["of the country", 21408, "region_not_enabled"],
    ["of a number that has not joined the sandbox", 63015, "recipient_not_verified"],
    ["with a number that no table has", 99999, "provider_rejected"],
  ])("that this connection would repeat goes to the next one once: %s", async (_what, number, code) => {
    for (const fields of [otp, transaction, service]) {
      secondary.messages.length = 0;
      const world = await makeWorld(primary.baseUrl, patient);
      primary.setMode(refusing(number));
      const id = await world.sendOne(fields);
      expect(await world.outcomes(id)).toEqual([`Primary not_sent ${code}`, "Secondary sent"]);
      expect(secondary.messages).toHaveLength(1);
      expect(await world.breaker()).toBe("closed");
    }
  });

  it.each([
    ["of the sender", 21606, "sender_rejected"],
    ["of a number that has not joined the sandbox", 63015, "recipient_not_verified"],
    ["with a number that no table has", 99999, "provider_rejected"],
  ])("by the only connection ends at once with its reason: %s", async (_what, number, code) => {
    const world = await alone();
    primary.setMode(refusing(number));
    const asked = primary.requests();
    const id = await world.sendOne(transaction);
    for (let index = 0; index < 3; index++) {
      await world.passTime(60 * 60_000);
      await world.runJobs();
    }
    expect(primary.requests() - asked).toBe(1);
    expect(await world.notification(id)).toMatchObject({
      status: "failed",
      due_at: null,
      attempts: 1,
      failure: { code, providerCode: String(number) },
    });
  });

  it("by both connections ends after both, with the last reason", async () => {
    const world = await makeWorld(primary.baseUrl, patient);
    primary.setMode(refusing(21606));
    secondary.setMode(refusing(21408));
    const id = await world.sendOne(transaction);
    expect(await world.outcomes(id)).toEqual([
      "Primary not_sent sender_rejected",
      "Secondary not_sent region_not_enabled",
    ]);
    expect(await world.notification(id)).toMatchObject({
      status: "failed",
      failure: { code: "region_not_enabled", providerCode: "21408" },
    });
  });

  it("that is final here leaves the message to a connection that is down for now, and never comes back here", async () => {
    const world = await makeWorld(primary.baseUrl, patient);
    primary.setMode(refusing(21606));
    secondary.setMode({ kind: "error", status: 400, code: 21730 });
    const id = await world.sendOne(transaction);
    expect(await world.notification(id)).toMatchObject({ status: "sending" });
    const asked = primary.requests();
    secondary.setMode({ kind: "ok" });
    for (let index = 0; index < 3; index++) {
      await world.passTime(10_000);
      await world.run();
    }
    expect(await world.notification(id)).toMatchObject({ status: "sent" });
    expect(primary.requests()).toBe(asked);
    expect(secondary.messages).toHaveLength(1);
  });

  it.each<[string, FakeMode, string]>([
    ["of what passes by itself", { kind: "error", status: 400, code: 21611 }, "provider_rate_limited"],
    [
      "of credentials that somebody corrects",
      { kind: "error", status: 401, code: 20003 },
      "provider_credentials",
    ],
  ])("by the only connection is tried again: %s", async (_what, mode, code) => {
    const world = await alone();
    primary.setMode(mode);
    const id = await world.sendOne(transaction);
    const { due_at: dueAt, ...stored } = await world.notification(id);
    expect(stored).toMatchObject({ status: "sending", failure: { code } });
    expect(dueAt?.getTime()).toBeGreaterThan(Date.now() - 1_000);
  });
});

describe("a provider that asks to wait", () => {
  const busy = (retryAfter: string): FakeMode => ({ kind: "error", status: 429, code: 20429, retryAfter });

  it("is waited for as long as it says, and not replaced meanwhile", async () => {
    const world = await makeWorld();
    primary.setMode(busy("9"));
    const id = await world.sendOne(transaction);
    const wait = ((await world.notification(id)).due_at?.getTime() ?? 0) - Date.now();
    expect(wait).toBeGreaterThan(5_000);
    primary.setMode({ kind: "ok" });
    // The connection rests in this process, too: the job is rescheduled once more, without an attempt.
    await world.passTime(9_000);
    await world.run();
    expect(secondary.messages).toEqual([]);
    expect(await world.outcomes(id)).toEqual(["Primary not_sent provider_rate_limited"]);
    expect(await world.breaker()).toBe("closed");
  });

  it("is not waited for longer than the class's patience: the next connection is tried", async () => {
    const world = await makeWorld();
    primary.setMode(busy("3600"));
    const id = await world.sendOne(transaction);
    expect(await world.outcomes(id)).toEqual(["Primary not_sent provider_rate_limited", "Secondary sent"]);
    // Others need not call it to know.
    const asked = primary.requests();
    expect(await world.outcomes(await world.sendOne(transaction))).toEqual(["Secondary sent"]);
    expect(primary.requests()).toBe(asked);
    expect(await world.breaker()).toBe("closed");
  });

  it("is not waited for at all by a one-time code", async () => {
    const world = await makeWorld();
    primary.setMode(busy("2"));
    expect(await world.outcomes(await world.sendOne(otp))).toEqual([
      "Primary not_sent provider_rate_limited",
      "Secondary sent",
    ]);
  });
});

describe("a fault after which nobody knows whether the provider has the message", () => {
  const faults: [string, FakeMode, string, number][] = [
    ["it hangs after it has read the request", { kind: "hang" }, "provider_timeout", 1],
    ["it cuts the connection", { kind: "lost" }, "provider_connection_lost", 1],
    ["it answers what is not its format", { kind: "garbage" }, "provider_answer_unreadable", 1],
    // This provider did not keep the message, but that cannot be known here.
    ["it answers 500", { kind: "error", status: 500 }, "provider_error", 0],
  ];

  it.each(faults)(
    "never leads to another connection, and is repeated once: %s",
    async (_what, mode, code, kept) => {
      for (const fields of [otp, transaction]) {
        primary.messages.length = 0;
        const world = await makeWorld();
        primary.setMode(mode);
        const id = await world.sendOne(fields);
        expect(await world.outcomes(id)).toEqual([`Primary unknown ${code}`]);
        expect(primary.messages).toHaveLength(kept);
        expect(await world.notification(id)).toMatchObject({ status: "sending", failure: { code } });
        await world.waitOut(4);
        expect(secondary.messages).toEqual([]);
        expect(primary.messages.length).toBeLessThanOrEqual(2 * kept);
        expect(await world.notification(id)).toMatchObject({ status: "undetermined" });
      }
    },
  );

  it.each(faults)("is not repeated for a service message: %s", async (_what, mode, code, kept) => {
    const world = await makeWorld();
    primary.setMode(mode);
    const id = await world.sendOne(service);
    await world.waitOut(4);
    expect(await world.outcomes(id)).toEqual([`Primary unknown ${code}`]);
    expect(primary.messages).toHaveLength(kept);
    expect(secondary.messages).toEqual([]);
    expect(await world.notification(id)).toMatchObject({ status: "undetermined", reason_code: "no_receipt" });
  });

  it.each(faults)(
    "opens the connection after five, and later messages go elsewhere: %s",
    async (_what, mode, code) => {
      const world = await makeWorld();
      primary.setMode(mode);
      for (let index = 0; index < 5; index++) await world.sendOne(service);
      expect(await world.breaker()).toBe(`open ${code}`);
      expect(await world.outcomes(await world.sendOne(service))).toEqual(["Secondary sent"]);
    },
  );
});

describe("a provider that recognises a repetition", () => {
  it("is called again with the same key, whatever the class, until it answers", async () => {
    const adapter = findAdapter("twilio") as { supportsIdempotency: boolean };
    adapter.supportsIdempotency = true;
    try {
      const world = await makeWorld();
      primary.setMode({ kind: "error", status: 500 });
      const id = await world.sendOne(service);
      await world.passTime(5_000);
      await world.run();
      primary.setMode({ kind: "ok" });
      await world.passTime(5_000);
      await world.run();
      expect(await world.outcomes(id)).toEqual([
        "Primary unknown provider_error",
        "Primary unknown provider_error",
        "Primary sent",
      ]);
      expect(await world.notification(id)).toMatchObject({ status: "sent" });
    } finally {
      adapter.supportsIdempotency = false;
    }
  });
});
