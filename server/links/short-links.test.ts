import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { DomainError } from "../kernel/errors.ts";
import { updateShortener } from "./update-shortener.ts";
import { getNotification } from "../sending/get-notification.ts";
import { getTimeline } from "../sending/get-timeline.ts";
import { explainSend } from "../sending/explain-send.ts";
import { orderOfSend } from "../sending/orders.ts";
import { sendRequestSchema } from "../sending/schemas.ts";
import type { OutboundClient } from "../kernel/outbound-http.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { fakeSecret, startFakeShortener } from "../testing/fake-shortener.ts";
import type { FakeShortener, FakeShortenerMode } from "../testing/fake-shortener.ts";
import { startFakeTwilio } from "../testing/fake-twilio.ts";
import type { FakeTwilio } from "../testing/fake-twilio.ts";
import { makeSendingWorld, messageId, sendBody } from "../testing/sending-world.ts";
import { createWebhookEndpoint } from "../webhooks/create-webhook-endpoint.ts";
import { environmentShortener } from "./load-shorteners.ts";
import { reportLinkProblem } from "./report-problem.ts";
import { shortenByService } from "./shorten-by-service.ts";
import { reportLinkProblemTask } from "./tasks.ts";

const database = await testDatabase();
const world = await makeSendingWorld(database);
const { tenant } = world;
const long =
  "https://shop.example/orders/4711/track?utm_source=sms&customer=8f14e45fceea167a5a36dedd4bea2543";

let twilio: FakeTwilio;
let shortener: FakeShortener;
beforeAll(async () => {
  twilio = await startFakeTwilio();
  shortener = await startFakeShortener();
  const { id } = await world.addTwilio(twilio.baseUrl, {
    priceList: [{ channel: "sms", amount: "0.05", currency: "EUR" }],
  });
  await world.addRule("production", [[id]]);
  await tenant.addSimulator(["sandbox"]);
  await world.addTemplate({
    name: "tracking",
    notificationType: "order",
    notificationSubtype: "receipt",
    channel: "sms",
    body: "Your order is on its way, and you can follow it as it comes closer: {{ url | shorten }}. It should be with you {{ when }}. Thank you!",
    variables: [
      { name: "url", type: "url", required: true },
      { name: "when", type: "string", required: true },
    ],
  });
  await createWebhookEndpoint(tenant.system, {
    environmentId: tenant.environments.production,
    application: "shop",
    url: "https://8.8.8.8/hooks",
    events: ["processing.error"],
  });
});
afterAll(async () => {
  await twilio.close();
  await shortener.close();
});
afterEach(() => {
  shortener.answer({ kind: "ok" });
});

const fields = (url = long) => ({
  notificationSubtype: "receipt",
  templateVariables: [{ url, when: "tomorrow" }],
});
/** Sends one message and returns its id and what the recipient got. */
async function deliver(url = long, environment: "production" | "sandbox" = "production") {
  const id = messageId(await world.send(fields(url), { environment }));
  await world.runJobs();
  return { id, body: twilio.messages.at(-1)?.body ?? "" };
}
const shortIn = (text: string) => /closer: (\S+)\. It/.exec(text)?.[1] ?? "";

async function choose(kind: "bitly" | "tinyurl" | "rebrandly", more: { processingRegion?: string } = {}) {
  await updateShortener(tenant.system, {
    environment: "production",
    kind,
    secret: fakeSecret,
    processingRegion: "EU",
    baseUrl: shortener.baseUrl,
    ...more,
  });
}
const links = async (id: string) =>
  (
    await database.owner.query<{ code: string | null; short_url: string; url: string; sandbox: boolean }>(
      "SELECT * FROM short_links WHERE notification_id = $1",
      [id],
    )
  ).rows;
const problemJobs = async (id: string) =>
  (
    await database.owner.query<{ payload: Record<string, unknown> }>(
      `SELECT j.payload FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
       WHERE t.identifier = 'report_link_problem' AND j.payload->>'notificationId' = $1`,
      [id],
    )
  ).rows;

describe("the built-in shortener", () => {
  test("gives a message a link of its own that cannot be guessed, and shortens nothing else", async () => {
    const first = await deliver();
    const second = await deliver();
    expect(shortIn(first.body)).toMatch(/^http:\/\/localhost:3000\/l\/[0-9A-Za-z]{11}$/);
    expect(shortIn(first.body)).not.toBe(shortIn(second.body));
    expect(first.body).not.toContain("utm_source");
    expect(await links(first.id)).toMatchObject([
      { url: long, short_url: shortIn(first.body), sandbox: false },
    ]);
  });

  test("is what segments and costs count, and what an explanation estimates", async () => {
    const { id, body } = await deliver();
    expect(body.length).toBeLessThanOrEqual(160);
    const notification = await getNotification(tenant.system, { id });
    expect(notification).toMatchObject({ segments: 1, cost: { amount: "0.050000" } });
    const explained = await explainSend(
      tenant.system,
      orderOfSend(tenant.environments.production, sendRequestSchema.parse(sendBody(fields()))),
    );
    expect(explained.messages[0]).toMatchObject({ segments: 1, estimatedCost: { amount: "0.050000" } });
    // Without a row: it leads nowhere.
    expect(shortIn(explained.messages[0]?.preview?.text ?? "")).toBe("http://localhost:3000/l/xxxxxxxxxxx");
  });

  test("shows its link in the message's timeline, but not to those who may not see contents", async () => {
    const { id, body } = await deliver();
    const timeline = await getTimeline(tenant.system, { id });
    expect(timeline.links).toMatchObject([{ shortUrl: shortIn(body), url: long, clicks: 0 }]);
    expect(timeline.preview?.text).toBe(body);
    const masked = await getTimeline(tenant.as("auditor"), { id });
    expect(masked.links).toMatchObject([{ shortUrl: null, url: null, clicks: 0 }]);
  });

  test("works for the sandbox, whose links are marked", async () => {
    const { id } = await deliver(long, "sandbox");
    expect(await links(id)).toMatchObject([{ url: long, sandbox: true }]);
  });

  test("leaves what is not an http address as it is", async () => {
    const id = await world.addTemplate({
      name: "odd",
      notificationType: "account",
      notificationSubtype: "maintenance",
      channel: "whatsapp",
      body: "{{ code | shorten }}",
    });
    expect(id).not.toBe("");
    for (const code of [
      "javascript:alert(1)",
      "ftp://files.example/a",
      "just words",
      "https://x.example/a b",
    ]) {
      const sent = await world.send({
        notificationType: "account",
        notificationSubtype: "maintenance",
        recipients: [{ channel: "whatsapp", recipient: "+4915112345678" }],
        templateVariables: [{ code }],
      });
      await world.runJobs();
      expect(twilio.messages.at(-1)?.body).toBe(code);
      expect(await links(messageId(sent))).toEqual([]);
    }
  });
});

describe("an external shortener", () => {
  test.each([
    ["bitly", /^https:\/\/bit\.ly\/abc\d+$/, { path: "/v4/shorten", body: { long_url: `${long}&by=bitly` } }],
    ["tinyurl", /^https:\/\/tinyurl\.com\/abc\d+$/, { path: "/create", body: { url: `${long}&by=tinyurl` } }],
    [
      "rebrandly",
      /^https:\/\/rebrand\.ly\/abc\d+$/,
      { path: "/v1/links", body: { destination: `${long}&by=rebrandly` } },
    ],
  ] as const)("%s is called by its contract, once for equal addresses", async (kind, form, request) => {
    await choose(kind);
    const before = shortener.requests.length;
    const first = await deliver(`${long}&by=${kind}`);
    const second = await deliver(`${long}&by=${kind}`);
    expect(shortIn(first.body)).toMatch(form);
    expect(shortIn(second.body)).toBe(shortIn(first.body));
    expect(shortener.requests.slice(before)).toMatchObject([request]);
    expect(await links(second.id)).toMatchObject([{ code: null, short_url: shortIn(first.body) }]);
    expect((await getTimeline(tenant.system, { id: second.id })).links).toMatchObject([{ clicks: null }]);
  });

  test("is called again for another address, and never reuses another's link", async () => {
    await choose("bitly");
    const first = await deliver(`${long}&customer=1`);
    const second = await deliver(`${long}&customer=2`);
    expect(shortIn(second.body)).not.toBe(shortIn(first.body));
  });

  const failures: [string, FakeShortenerMode, string][] = [
    ["401", { kind: "error", status: 401 }, "shortener_credentials"],
    ["403", { kind: "error", status: 403 }, "shortener_credentials"],
    [
      "429 for the rate, twice",
      { kind: "error", status: 429, body: { message: "RATE_LIMIT_EXCEEDED" } },
      "shortener_rate_limited",
    ],
    [
      "429 for the month",
      { kind: "error", status: 429, body: { message: "API_USAGE_LIMIT_EXCEEDED" } },
      "shortener_limit_reached",
    ],
    ["400", { kind: "error", status: 400 }, "shortener_refused"],
    ["500", { kind: "error", status: 500 }, "shortener_unavailable"],
    ["a page instead of JSON", { kind: "garbage", text: "<html>" }, "shortener_answer_unreadable"],
    [
      "a link that is none",
      { kind: "garbage", text: '{"link":"javascript:alert(1)"}' },
      "shortener_answer_unreadable",
    ],
    ["silence", { kind: "hang" }, "shortener_timeout"],
  ];
  test.each(failures)(
    "that answers with %s leaves the long address and reports it",
    async (_, mode, code) => {
      await choose("bitly");
      shortener.answer(mode);
      const { id, body } = await deliver();
      expect(shortIn(body)).toBe(long);
      expect((await world.notification(id)).status).toBe("sent");
      const sending = (await getNotification(tenant.system, { id })).events.find(
        ({ type }) => type === "sending",
      );
      expect(sending?.problem).toMatchObject({ code });
      const [job] = await problemJobs(id);
      expect(JSON.stringify(job?.payload)).not.toContain("shop.example");
      await reportLinkProblem({ db: database.worker }, reportLinkProblemTask.payload.parse(job?.payload));
      const { rows } = await database.owner.query<{ payload: Record<string, unknown> }>(
        "SELECT payload FROM webhook_deliveries WHERE event = 'processing.error' AND payload->>'notificationId' = $1",
        [id],
      );
      expect(rows).toMatchObject([{ payload: { code, notificationId: id } }]);
    },
  );

  test("that fails is left alone for a while: the next message does not wait for it", async () => {
    await choose("bitly");
    shortener.answer({ kind: "error", status: 500 });
    await deliver(`${long}&n=1`);
    const before = shortener.requests.length;
    shortener.answer({ kind: "ok" });
    const { id, body } = await deliver(`${long}&n=2`);
    expect(shortener.requests.length).toBe(before);
    expect(shortIn(body)).toBe(`${long}&n=2`);
    expect(await problemJobs(id)).toHaveLength(1);
  });

  test("that is slow for one organisation’s many addresses is asked for another’s at once", async () => {
    await choose("bitly");
    const other = await makeTenant(database);
    await updateShortener(other.system, {
      ...{ environment: "production", kind: "bitly", secret: fakeSecret, processingRegion: "EU" },
      baseUrl: shortener.baseUrl,
    });
    const asked: string[] = [];
    const held = Promise.withResolvers<unknown>();
    const http = {
      request: ({ body }: { body: string }) => {
        asked.push(body);
        return held.promise;
      },
    } as unknown as OutboundClient;
    const shorten = async ({ tenantId, environments }: typeof other, url: string) =>
      shortenByService(
        {
          ...(await environmentShortener({ db: database.worker, tenantId }, environments.production)),
          kind: "bitly",
        },
        url,
        { http, deadline: Date.now() + 3_000 },
      );
    const many = Array.from({ length: 12 }, (_, index) => shorten(tenant, `${long}&many=${String(index)}`));
    await expect.poll(() => asked.length).toBeGreaterThan(3);
    const one = shorten(other, long);
    await expect.poll(() => asked.some((body) => !body.includes("many"))).toBe(true);
    held.resolve({ status: 200, headers: {}, body: '{"link":"https://bit.ly/abc"}' });
    expect(await one).toEqual({ ok: true, shortUrl: "https://bit.ly/abc" });
    expect((await Promise.all(many)).every(({ ok }) => ok)).toBe(true);
  });

  test("that asks to slow down is called once more", async () => {
    await choose("bitly");
    shortener.answer(
      { kind: "error", status: 429, body: { message: "RATE_LIMIT_EXCEEDED" } },
      { kind: "ok" },
    );
    const { id, body } = await deliver(`${long}&slower`);
    expect(shortIn(body)).toMatch(/^https:\/\/bit\.ly\//);
    expect(await problemJobs(id)).toEqual([]);
  });

  test("outside the organisation's regions is refused when chosen, and not called once a region is withdrawn", async () => {
    await expect(choose("bitly", { processingRegion: "US" })).rejects.toMatchObject({
      code: "region_not_allowed",
    } satisfies Partial<DomainError>);
    await choose("bitly");
    // As if the organisation had withdrawn its permission later.
    await database.owner.query("UPDATE shorteners SET processing_region = 'US' WHERE tenant_id = $1", [
      tenant.tenantId,
    ]);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const before = shortener.requests.length;
    const { id, body } = await deliver(`${long}&region`);
    expect(shortener.requests.length).toBe(before);
    expect(shortIn(body)).toBe(`${long}&region`);
    expect(await problemJobs(id)).toMatchObject([{ payload: { code: "region_not_allowed" } }]);
  });
});

test("is off: addresses stay long, and that is not a problem", async () => {
  await updateShortener(tenant.system, { environment: "production", kind: "none" });
  const { id, body } = await deliver();
  expect(shortIn(body)).toBe(long);
  expect(await problemJobs(id)).toEqual([]);
});

test("a message has the same link at every attempt, whichever connection carries it", async () => {
  const strict = await startFakeTwilio({
    account: { accountSid: `AC${"0".repeat(32)}`, authToken: "another" },
  });
  const [first, second] = await Promise.all([
    world.addTwilio(strict.baseUrl),
    world.addTwilio(twilio.baseUrl),
  ]);
  await world.addRule("staging", [[first.id], [second.id]]);
  const id = messageId(await world.send(fields(), { environment: "staging" }));
  await world.runJobs();
  await world.passTime(60_000);
  await world.runJobs();
  await strict.close();
  expect(await world.attempts(id)).toMatchObject([{ outcome: "not_sent" }, { outcome: "sent" }]);
  const made = await links(id);
  expect(made).toHaveLength(1);
  expect(shortIn(twilio.messages.at(-1)?.body ?? "")).toBe(made[0]?.short_url);
});
