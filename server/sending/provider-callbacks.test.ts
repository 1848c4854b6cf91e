import fc from "fast-check";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { callbackUrlFor } from "../adapters/callback-url.ts";
import { twilioSignature } from "../adapters/twilio/twilio-signature.ts";
import { getProvider } from "../connections/get-provider.ts";
import { forgetConnections } from "../connections/load-connection.ts";
import { providerUpdateSchema } from "../connections/schemas.ts";
import { updateProvider } from "../connections/update-provider.ts";
import { env } from "../kernel/env.ts";
import { newId } from "../kernel/ids.ts";
import { serveCallback } from "../rest/serve-callback.ts";
import { testDatabase } from "../testing/database.ts";
import { startFakeTwilio } from "../testing/fake-twilio.ts";
import {
  becomes,
  claimOver,
  makeSendingWorld,
  messageId,
  notTakenBy,
  takenBy,
} from "../testing/sending-world.ts";
import { callAdvance } from "./queries.ts";

const database = await testDatabase();
const provider = await startFakeTwilio();
afterAll(() => provider.close());

const world = await makeSendingWorld(database);
const connection = await world.addTwilio(provider.baseUrl, {
  name: "Provider",
  priceList: [{ channel: "sms", amount: "0.070000", currency: "EUR" }],
});
const sameTenants = await world.addTwilio(provider.baseUrl, { name: "Another" });
const mail = await world.addSmtp(25);
await world.addRule("production", [[connection.id]], { channel: "sms" });
const stranger = await makeSendingWorld(database);
const strangers = await stranger.addTwilio(provider.baseUrl);

beforeEach(() => database.owner.query("DELETE FROM graphile_worker._private_jobs"));

interface Callback {
  connectionId: string;
  authToken: string;
  notificationId: string;
  attempt: number;
  sid: string;
  status: string;
  fields?: Record<string, string>;
}

/** A callback as Twilio makes it; `spoil` changes it after it was signed. */
function requestOf(
  callback: Callback,
  spoil: { method?: string; body?: string; query?: string; signature?: string | null } = {},
) {
  const { connectionId, authToken, notificationId, attempt, sid, status } = callback;
  const base = `${env().publicUrl}/api/callbacks/${connectionId}`;
  const url = callbackUrlFor({ callbackUrl: base, notificationId, attempt });
  const form = new URLSearchParams({
    MessageSid: sid,
    MessageStatus: status,
    To: "+4915112345678",
    ...callback.fields,
  });
  const signature = spoil.signature === undefined ? twilioSignature(authToken, url, form) : spoil.signature;
  const method = spoil.method ?? "POST";
  return new Request(
    url.replace(/\?.*$/, (query) => spoil.query ?? query),
    {
      method,
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        ...(signature === null ? {} : { "x-twilio-signature": signature }),
      },
      ...(method === "GET" ? {} : { body: spoil.body ?? form.toString() }),
    },
  );
}

const post = async (callback: Callback, spoil?: Parameters<typeof requestOf>[1]): Promise<number> =>
  (await serveCallback(requestOf(callback, spoil), callback.connectionId, { db: () => database.web })).status;

/** An accepted message whose attempt is in progress: the provider has it, its answer is not recorded yet. */
async function underWay(): Promise<{
  id: string;
  sid: string;
  callback: (status: string, fields?: Record<string, string>) => Callback;
}> {
  const id = messageId(await world.send());
  await world.advance(id, claimOver(connection.id, newId(), "Provider"));
  const sid = `SM${id.replaceAll("-", "")}`;
  return {
    id,
    sid,
    callback: (status, fields) => ({
      connectionId: connection.id,
      authToken: connection.authToken,
      notificationId: id,
      attempt: 1,
      sid,
      status,
      ...(fields ? { fields } : {}),
    }),
  };
}

const outcomes = {
  sent: (sid: string) =>
    takenBy(1, {
      providerMessageId: sid,
      price: { amount: "0.070000", currency: "EUR", source: "estimated" },
      dueAt: new Date(Date.now() + 72 * 3_600_000),
    }),
  lost: () => notTakenBy(1, "unknown"),
};

/** What callers and the portal see in the end; of times, only whether they are set. */
async function stateOf(id: string) {
  const row = await world.notification(id);
  const events = (await world.events(id)).map((event) => event.type);
  const { rows: costs } = await database.owner.query(
    "SELECT attempt, kind, amount, currency, source FROM cost_entries WHERE notification_id = $1",
    [id],
  );
  return {
    status: row.status,
    final: row.final,
    failure: row.failure?.code ?? null,
    reason: row.reason_code,
    providerMessageId: row.provider_message_id,
    openAttempt: row.open_attempt,
    due: row.due_at !== null,
    sent: row.sent_at !== null,
    delivered: row.delivered_at !== null,
    read: row.read_at !== null,
    costs,
    lastOf: new Set(events.filter((type) => ["delivered", "failed", "read"].includes(type))),
    twice: events.filter((type, index) => events.indexOf(type) !== index),
  };
}

const price = { Price: "-0.0812", PriceUnit: "eur" };
const histories: Record<
  string,
  { outcome: keyof typeof outcomes; statuses: [string, Record<string, string>?][] }
> = {
  delivered: {
    outcome: "sent",
    statuses: [["queued"], ["sent"], ["delivered", price], ["delivered", price]],
  },
  read: { outcome: "sent", statuses: [["sent"], ["delivered"], ["read"], ["read"], ["sending"]] },
  failed: {
    outcome: "sent",
    statuses: [
      ["queued"],
      ["sent"],
      ["undelivered", { ErrorCode: "30003" }],
      ["undelivered", { ErrorCode: "30003" }],
    ],
  },
  "delivered although the answer was lost": {
    outcome: "lost",
    statuses: [["sent"], ["delivered"], ["delivered"]],
  },
  "failed although the answer was lost": {
    outcome: "lost",
    statuses: [["sent"], ["failed", { ErrorCode: "30005" }]],
  },
};

describe("a provider's callbacks", () => {
  for (const [name, history] of Object.entries(histories)) {
    for (const seed of [11, 23, 47]) {
      it(`lead to the same end in any order, repeated or early (${name}, seed ${String(seed)})`, async () => {
        const steps = [null, ...history.statuses];
        const play = async (order: readonly number[]) => {
          const message = await underWay();
          for (const index of order) {
            const step = steps[index];
            if (step) expect(await post(message.callback(...step))).toBe(204);
            else await world.advance(message.id, outcomes[history.outcome](message.sid));
          }
          const { providerMessageId, ...state } = await stateOf(message.id);
          expect(providerMessageId).toBe(message.sid);
          return state;
        };
        const straight = await play([...steps.keys()]);
        expect(straight.due).toBe(false);
        expect(straight.twice).toEqual([]);
        await fc.assert(
          fc.asyncProperty(
            fc.shuffledSubarray([...steps.keys()], { minLength: steps.length }),
            async (order) => {
              expect(await play(order)).toEqual(straight);
            },
          ),
          { seed, numRuns: 8, endOnFailure: true },
        );
      });
    }
  }

  it("about many messages at once, all repeated at the same time, are each counted once", async () => {
    const messages = await Promise.all(Array.from({ length: 10 }, underWay));
    await callAdvance(
      database.worker,
      null,
      messages.map(({ id, sid }) => ({ tenantId: world.tenantId, id, ...outcomes.sent(sid) })),
    );
    const all = messages.flatMap(({ callback }) =>
      ["queued", "sent", "delivered", "read"].flatMap((status) => [
        callback(status),
        callback(status),
        callback(status),
      ]),
    );
    const answers = await Promise.all(all.map((callback) => post(callback)));
    expect(new Set(answers)).toEqual(new Set([204]));
    for (const { id } of messages) {
      expect(await stateOf(id)).toMatchObject({ status: "delivered", read: true, twice: [], due: false });
    }
    const { rows } = await database.owner.query<{ n: number }>(
      `SELECT sum(count)::int AS n FROM metric_deltas WHERE tenant_id = $1 AND status = 'delivered'
         AND id > (SELECT max(id) FROM metric_deltas) - 1000`,
      [world.tenantId],
    );
    expect(rows[0]?.n).toBeGreaterThanOrEqual(10);
  });

  it("replace the estimated price by the reported one, once", async () => {
    const message = await underWay();
    await world.advance(message.id, outcomes.sent(message.sid));
    await post(message.callback("delivered", price));
    await post(message.callback("delivered", { ...price, Price: "-9.99" }));
    expect((await stateOf(message.id)).costs).toEqual([
      { attempt: 1, kind: "message", amount: "0.081200", currency: "EUR", source: "reported" },
    ]);
  });

  it("still resolve a message that was given up as undetermined", async () => {
    const message = await underWay();
    const reason = { code: "no_receipt", detail: "none" } as const;
    await world.advance(message.id, outcomes.lost(), becomes("undetermined", { reason }));
    expect(await stateOf(message.id)).toMatchObject({ status: "undetermined", final: false });
    await post(message.callback("delivered"));
    expect(await stateOf(message.id)).toMatchObject({
      status: "delivered",
      final: true,
      reason: null,
      failure: null,
    });
    await post(message.callback("undelivered"));
    expect(await stateOf(message.id)).toMatchObject({ status: "delivered" });
  });

  it("about an attempt that another has followed do not fail the message", async () => {
    const message = await underWay();
    const next = { dueAt: new Date(), task: "deliver_transactional" };
    await world.advance(
      message.id,
      notTakenBy(1, "unknown", { next }),
      claimOver(connection.id, newId(), "Provider"),
    );
    await post(message.callback("undelivered", { ErrorCode: "30003" }));
    expect(await stateOf(message.id)).toMatchObject({ status: "sending" });
    const second = { ...message.callback("delivered"), attempt: 2, sid: `SM${newId().replaceAll("-", "")}` };
    await post(second);
    expect(await stateOf(message.id)).toMatchObject({ status: "delivered" });
  });

  it("with an opt-out record it once per message, so that repetitions undo nothing", async () => {
    const message = await underWay();
    const optedOut = message.callback("failed", { ErrorCode: "21610" });
    await post(optedOut);
    await post(optedOut);
    const { rows } = await database.owner.query(
      "SELECT state, source, sandbox FROM consent_entries WHERE tenant_id = $1 AND evidence->>'notificationId' = $2",
      [world.tenantId, message.id],
    );
    expect(rows).toEqual([{ state: "opted_out", source: "provider", sandbox: false }]);
    await database.owner.query("DELETE FROM consent_entries WHERE tenant_id = $1", [world.tenantId]);
  });
});

/** Everything that a callback could change, of all tenants. */
async function everything(): Promise<string> {
  const tables = [
    "notifications",
    "notification_events",
    "attempts",
    "cost_entries",
    "consent_entries",
    "suppressions",
    "metric_deltas",
    "webhook_deliveries",
    "audit_events",
  ];
  const parts = await Promise.all(
    tables.map((table) =>
      database.owner.query<{ hash: string | null }>(
        `SELECT md5(string_agg(t::text, '|' ORDER BY t::text)) AS hash FROM ${table} t`,
      ),
    ),
  );
  return parts.map((part, index) => `${tables[index] ?? ""} ${part.rows[0]?.hash ?? ""}`).join("\n");
}

describe("callbacks while the credential that signs them is replaced", () => {
  it("count when they are signed with an old one of the last day, until that is ended", async () => {
    const { id, authToken } = await world.addTwilio(provider.baseUrl, { name: "Replaced" });
    const owner = world.tenant.as("owner");
    const change = (changes: object, at = new Date()) =>
      updateProvider({ ...owner, now: () => at }, { id, changes: providerUpdateSchema.parse(changes) });
    const replace = (token: string, more: object = {}, at?: Date) =>
      change({ credentials: { authToken: token }, ...more }, at);
    const taken = async (...tokens: string[]) => {
      const statuses = tokens.map((token) =>
        post({
          connectionId: id,
          authToken: token,
          notificationId: newId(),
          attempt: 1,
          sid: "SM1",
          status: "sent",
        }),
      );
      return (await Promise.all(statuses)).map((status) => status === 204);
    };
    expect(await taken(authToken, "second")).toEqual([true, false]);
    const { callback } = await replace("second");
    const left = Date.parse(callback?.oldSecretsUntil ?? "") - Date.now();
    expect(left / 3_600_000).toBeCloseTo(24, 1);
    await replace("third");
    await change({ name: "Replaced twice" });
    expect(await taken(authToken, "second", "third", "fourth")).toEqual([true, true, true, false]);

    // After a leak it ends at once, also along with the change.
    expect((await change({ callbackOverlap: false })).callback?.oldSecretsUntil).toBeNull();
    expect(await taken(authToken, "second", "third")).toEqual([false, false, true]);
    await replace("fourth", { callbackOverlap: false });
    expect(await taken("third", "fourth")).toEqual([false, true]);

    // What cannot be opened takes nothing else with it.
    await replace("fourth and a half");
    await database.owner.query(
      "UPDATE provider_connections SET old_callback_secrets = '\\x00' WHERE id = $1",
      [id],
    );
    forgetConnections(world.tenantId);
    expect(await taken("fourth", "fourth and a half")).toEqual([false, true]);

    await replace("fifth", {}, new Date(Date.now() - 25 * 3_600_000));
    expect(await taken("fourth", "fifth")).toEqual([false, true]);
    expect((await getProvider(owner, { id })).callback?.oldSecretsUntil).toBeNull();
  });
});

describe("a forged callback", () => {
  it("changes nothing and learns nothing", async () => {
    const message = await underWay();
    await world.advance(message.id, outcomes.sent(message.sid));
    const genuine = message.callback("delivered");
    const other = await underWay();
    const before = await everything();
    const forged: [Callback, Parameters<typeof requestOf>[1]?][] = [
      [genuine, { signature: null }],
      [genuine, { signature: "" }],
      [genuine, { signature: "AAAAAAAAAAAAAAAAAAAAAAAAAAA=" }],
      [{ ...genuine, authToken: strangers.authToken }],
      [{ ...genuine, authToken: sameTenants.authToken }],
      [{ ...genuine, authToken: "" }],
      [
        genuine,
        {
          body: new URLSearchParams({
            MessageSid: message.sid,
            MessageStatus: "undelivered",
            To: "+4915112345678",
          }).toString(),
        },
      ],
      [genuine, { query: `?notification=${other.id}&attempt=1` }],
      [genuine, { query: "" }],
      [genuine, { method: "GET" }],
      [genuine, { method: "PUT" }],
      [{ ...genuine, connectionId: sameTenants.id }],
      [{ ...genuine, connectionId: strangers.id }],
      // Takes mail that comes back, with a secret of its own.
      [{ ...genuine, connectionId: mail }],
    ];
    // No callbacks under these paths: answered without reading the body.
    const unknown: typeof forged = [newId(), "not-a-uuid", "' OR true --"].map((connectionId) => [
      { ...genuine, connectionId },
    ]);
    const answers = new Set<string>();
    for (const [callback, spoil] of forged) {
      const response = await serveCallback(requestOf(callback, spoil), callback.connectionId, {
        db: () => database.web,
      });
      answers.add(`${String(response.status)} ${await response.text()}`);
    }
    expect(answers).toHaveLength(1);
    expect([...answers][0]).toMatch(/^403 /);
    for (const [callback] of unknown) {
      const request = requestOf(callback);
      const response = await serveCallback(request, callback.connectionId, { db: () => database.web });
      expect([response.status, request.bodyUsed], callback.connectionId).toEqual([404, false]);
    }
    expect(await everything()).toBe(before);
    expect(await post(genuine)).toBe(204);
    expect(await everything()).not.toBe(before);
  });

  it("signed by another connection or tenant cannot report about a message that it never carried", async () => {
    const message = await underWay();
    await world.advance(message.id, outcomes.sent(message.sid));
    const before = await everything();
    for (const { id, authToken } of [sameTenants, strangers]) {
      for (const status of ["delivered", "undelivered", "read"]) {
        expect(await post({ ...message.callback(status), connectionId: id, authToken })).toBe(204);
      }
    }
    expect(await everything()).toBe(before);
  });

  it("for an unknown message, or none, changes nothing", async () => {
    const before = await everything();
    const base = {
      connectionId: connection.id,
      authToken: connection.authToken,
      attempt: 1,
      status: "delivered",
    };
    for (const [notificationId, sid] of [
      [newId(), `SM${"0".repeat(32)}`],
      ["nonsense", `SM${"0".repeat(32)}`],
      ["", "SM"],
      [newId(), "'; DROP TABLE notifications; --"],
    ] as const) {
      expect(await post({ ...base, notificationId, sid })).toBe(204);
    }
    expect(await everything()).toBe(before);
  });
});
