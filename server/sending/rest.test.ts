import { describe, expect, it } from "vitest";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { restClient } from "../testing/rest-client.ts";
import { startFakeTwilio } from "../testing/fake-twilio.ts";
import { makeSendingWorld, sendBody } from "../testing/sending-world.ts";
import type { Problem } from "../testing/rest-client.ts";
import type { Explanation, Notification, SendResponse } from "./schemas.ts";

const database = await testDatabase();
const rest = restClient(database.web);
const world = await makeSendingWorld(database);
const { tenant, tenantId } = world;
const { key } = await tenant.makeKey("production", { rateLimitPerMinute: 100_000 });
const { key: shopKey } = await tenant.makeKey("production", { applicationId: tenant.application.id });

const send = (json: unknown, headers?: Record<string, string>) =>
  rest.post<SendResponse>("/api/app/notifications/send", { key, json, ...(headers ? { headers } : {}) });
const create = (fields: Record<string, unknown> = {}, idempotencyKey?: string) =>
  rest.post<Notification>("/v1/notifications", {
    key: shopKey,
    json: {
      channel: "sms",
      to: "+4915112345678",
      template: "order-sms",
      variables: { code: "4711" },
      ...fields,
    },
    ...(idempotencyKey === undefined ? {} : { headers: { "idempotency-key": idempotencyKey } }),
  });
const requests = async (transactionId: string) =>
  (
    await database.owner.query<{ id: string }>(
      "SELECT id FROM send_requests WHERE tenant_id = $1 AND transaction_id = $2",
      [tenantId, transactionId],
    )
  ).rows;
const messages = async () =>
  (
    await database.owner.query<{ n: number }>(
      "SELECT count(*)::int AS n FROM notifications WHERE tenant_id = $1",
      [tenantId],
    )
  ).rows[0]?.n ?? 0;

describe("POST /api/app/notifications/send", () => {
  it("accepts the same request once, however many arrive at once, with one answer for all", async () => {
    const body = sendBody({
      recipients: [
        { channel: "sms", recipient: "+4915112345678" },
        { channel: "email", recipient: "nobody" },
      ],
    });
    const answers = await Promise.all(Array.from({ length: 200 }, () => send(body)));
    expect(new Set(answers.map(({ status, text }) => `${String(status)} ${text}`))).toHaveLength(1);
    expect(answers[0]?.status).toBe(202);
    expect(answers.filter((answer) => answer.headers.get("idempotent-replayed") === null)).toHaveLength(1);
    expect(await requests(body.transactionId)).toHaveLength(1);
    expect(answers[0]?.body).toMatchObject({
      transactionId: body.transactionId,
      notifications: [
        { channel: "sms", recipient: "+4915112345678", status: "queued" },
        { channel: "email", recipient: "nobody", status: "rejected", reason: { code: "invalid_recipient" } },
      ],
    });
  });

  it("ignores the order of a body's members", async () => {
    const body = sendBody();
    const first = await send(body);
    const turned = Object.fromEntries(Object.entries(body).toReversed());
    expect((await send(turned)).text).toBe(first.text);
  });

  it("refuses another body under the same transactionId", async () => {
    const body = sendBody();
    await send(body);
    const answer = await send({ ...body, metadata: { changed: "yes" } });
    expect({ status: answer.status, code: (answer.body as unknown as Problem).code }).toEqual({
      status: 422,
      code: "idempotency_mismatch",
    });
  });

  it("enforces its limits, and says where they were exceeded", async () => {
    const many = (length: number) =>
      Object.fromEntries(Array.from({ length }, (_, index) => [`v${String(index)}`, "x"]));
    const recipients = (length: number) =>
      Array.from({ length }, (_, index) => ({
        channel: "sms",
        recipient: `+4915${String(100_000_000 + index)}`,
      }));
    for (const [fields, pointer] of [
      [{ transactionId: "ä".repeat(128) }, "/transactionId"],
      [{ transactionId: "" }, "/transactionId"],
      [{ region: "de" }, "/region"],
      [{ language: "EN" }, "/language"],
      [{ recipients: recipients(1_001) }, "/recipients"],
      [{ templateVariables: [{ code: "x".repeat(4_097) }] }, "/templateVariables/0/code"],
      [{ templateVariables: [{ code: 4711 }] }, "/templateVariables/0/code"],
      [
        {
          templateVariables: [
            many(60),
            Object.fromEntries(Object.entries(many(61)).map(([name, value]) => [`w${name}`, value])),
          ],
        },
        "/templateVariables",
      ],
      [{ metadata: many(17) }, "/metadata"],
      [{ scheduledAt: "tomorrow" }, "/scheduledAt"],
      [{ recipients: [{ channel: "pigeon", recipient: "x" }] }, "/recipients/0/channel"],
    ] as const) {
      const answer = await send({ ...sendBody(), ...fields });
      expect({ fields: Object.keys(fields), status: answer.status }).toEqual({
        fields: Object.keys(fields),
        status: 422,
      });
      expect((answer.body as unknown as Problem).errors[0]?.pointer).toBe(pointer);
    }
    const answer = await send({
      ...sendBody(),
      transactionId: "ä".repeat(127),
      recipients: recipients(1_000),
    });
    expect(answer.status).toBe(202);
    expect(answer.body.notifications).toHaveLength(1_000);
  });
});

describe("POST /v1/notifications", () => {
  it("answers with the notification, and a repetition with the same bytes, whatever has happened since", async () => {
    const provider = await startFakeTwilio();
    try {
      const twilio = await world.addTwilio(provider.baseUrl);
      await world.addRule("production", [[twilio.id]]);
      const idempotencyKey = newId();
      const first = await create({ metadata: { order: "4711" } }, idempotencyKey);
      expect(first.status).toBe(202);
      expect(first.body).toMatchObject({
        status: "queued",
        application: "shop",
        environment: "production",
        to: "+4915112345678",
        template: { name: "order-sms", version: 1 },
        region: "DE",
        language: "en",
        metadata: { order: "4711" },
        events: [{ sequence: 1, type: "queued" }],
      });
      await world.runJobs();
      const again = await create({ metadata: { order: "4711" } }, idempotencyKey);
      expect(again.headers.get("idempotent-replayed")).toBe("true");
      expect(again.text).toBe(first.text);
      const now = await rest.get<Notification>(`/v1/notifications/${first.body.notificationId}`, {
        key: shopKey,
      });
      expect(now.body).toMatchObject({
        status: "sent",
        provider: expect.any(String) as string,
      });
      expect(now.body.events.map((event) => event.type)).toEqual(["queued", "sending", "sent"]);
    } finally {
      await provider.close();
    }
  });

  it("refuses another body under the same key, and sends again without a key", async () => {
    const idempotencyKey = newId();
    await create({}, idempotencyKey);
    const changed = await create({ variables: { code: "1" } }, idempotencyKey);
    expect((changed.body as unknown as Problem).code).toBe("idempotency_mismatch");
    const [one, two] = [await create(), await create()];
    expect(one.body.notificationId).not.toBe(two.body.notificationId);
  });

  it("requires a key of several applications to name one", async () => {
    const json = { channel: "sms", to: "+4915112345678", template: "order-sms", variables: { code: "1" } };
    const answer = await rest.post<Problem>("/v1/notifications", { key, json });
    expect(answer.body).toMatchObject({ status: 422, errors: [{ pointer: "/application" }] });
    expect(
      (await rest.post("/v1/notifications", { key, json: { ...json, application: "shop" } })).status,
    ).toBe(202);
  });

  it("answers for a message that is rejected at once: accepted, with the reason", async () => {
    const answer = await create({ to: "0151" });
    expect(answer.body).toMatchObject({
      status: "rejected",
      final: true,
      reason: { code: "invalid_recipient" },
    });
  });

  it("names what is missing or unknown", async () => {
    expect((await create({ template: "nope" })).body).toMatchObject({
      code: "unknown_template",
      errors: [{ pointer: "/template" }],
    });
    expect((await create({ channel: "whatsapp" })).body).toMatchObject({ code: "unknown_template" });
    expect((await create({ variables: {} })).body).toMatchObject({
      code: "missing_variable",
      errors: [{ pointer: "/variables" }],
    });
  });
});

describe("GET /v1/notifications", () => {
  interface Page {
    data: Notification[];
    nextCursor: string | null;
  }
  const list = async (query: string, as = key) =>
    (await rest.get<Page>(`/v1/notifications?${query}`, { key: as })).body;

  it("pages through all, each once, newest first, while new ones arrive", async () => {
    const body = sendBody({
      recipients: Array.from({ length: 25 }, (_, index) => ({
        channel: "email" as const,
        recipient: `p${String(index)}@example.com`,
      })),
    });
    await send(body);
    const query = `transactionId=${body.transactionId}&limit=7`;
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page: Page = await list(
        `${query}${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      seen.push(...page.data.map((one) => one.notificationId));
      cursor = page.nextCursor;
      await create();
    }
    expect(seen).toHaveLength(25);
    expect(seen).toEqual([...new Set(seen)].sort().toReversed());
  });

  it("filters", async () => {
    const to = `filter-${newId()}@example.com`;
    const body = sendBody({
      recipients: [
        { channel: "email", recipient: to },
        { channel: "sms", recipient: "+4915212345678" },
      ],
    });
    await send(body);
    const ids = async (query: string) => (await list(query)).data.map((one) => one.to);
    expect(await ids(`to=${to}`)).toEqual([to]);
    expect(await ids(`transactionId=${body.transactionId}&channel=sms`)).toEqual(["+4915212345678"]);
    expect(
      await ids(`transactionId=${body.transactionId}&status=queued&status=sent&template=order-email`),
    ).toEqual([to]);
    expect(await ids(`transactionId=${body.transactionId}&status=delivered`)).toEqual([]);
    expect(await ids(`transactionId=${body.transactionId}&createdTo=2020-01-01T00:00:00Z`)).toEqual([]);
    expect(await ids(`transactionId=${body.transactionId}&application=desk`)).toEqual([]);
  });

  it("hides addresses from those who may not see them", async () => {
    const { body } = await create();
    const { key: auditor } = await tenant.makeKey("production", { role: "auditor" });
    const { data } = await list("limit=1", auditor);
    expect(data[0]).toMatchObject({ notificationId: body.notificationId, to: "+49•••78" });
  });

  it("refuses an invalid cursor", async () => {
    for (const cursor of ["x", "AAAA", newId()]) {
      const answer = await rest.get<Problem>(`/v1/notifications?cursor=${cursor}`, { key });
      expect(answer.body.code).toBe("invalid_cursor");
    }
  });
});

describe("POST /v1/notifications/{id}/cancel", () => {
  it("cancels a queued message, and is a conflict from then on", async () => {
    const { body } = await create({ scheduledAt: new Date(Date.now() + 3_600_000).toISOString() });
    expect(body.status).toBe("scheduled");
    const url = `/v1/notifications/${body.notificationId}/cancel`;
    const [first, second] = await Promise.all([
      rest.post<Notification>(url, { key: shopKey }),
      rest.post<Notification>(url, { key: shopKey }),
    ]);
    expect([first.status, second.status].sort()).toEqual([200, 409]);
    expect((await rest.post(url, { key: shopKey })).status).toBe(409);
  });
});

describe("POST /v1/notifications/explain", () => {
  it("takes either body, says what would happen, and does nothing", async () => {
    const before = await messages();
    const asSend = await rest.post<Explanation>("/v1/notifications/explain", {
      key,
      json: sendBody({
        recipients: [
          { channel: "sms", recipient: "+4915112345678" },
          { channel: "email", recipient: "nobody" },
        ],
        notificationType: "marketing",
        notificationSubtype: "promotion",
      }),
    });
    expect(asSend.status).toBe(200);
    expect(asSend.body.messages.map(({ outcome, reason }) => [outcome, reason?.code])).toEqual([
      ["would_reject", "consent_denied"],
      ["would_reject", "invalid_recipient"],
    ]);
    const asCreate = await rest.post<Explanation>("/v1/notifications/explain", {
      key: shopKey,
      json: { channel: "sms", to: "+4915112345678", template: "order-sms", variables: { code: "4711" } },
    });
    expect(asCreate.body.messages[0]).toMatchObject({
      segments: 1,
      encoding: "GSM-7",
      preview: { text: "Order 4711 is on its way." },
    });
    expect(await messages()).toBe(before);
  });
});
