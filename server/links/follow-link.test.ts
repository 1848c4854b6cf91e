import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { openDb } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { serveShortLink } from "../rest/serve-short-link.ts";
import { getNotification } from "../sending/get-notification.ts";
import { testDatabase } from "../testing/database.ts";
import { makeSendingWorld, messageId } from "../testing/sending-world.ts";
import { createWebhookEndpoint } from "../webhooks/create-webhook-endpoint.ts";
import { purgeLinks } from "./purge-links.ts";
import { shortLinks } from "./short-links.ts";
import { exampleLink, previewLinks } from "./shortener.ts";
import { machineReason } from "./visitor.ts";

const database = await testDatabase();
const world = await makeSendingWorld(database);
const { tenant } = world;
const target = "https://shop.example/track?id=4711&sig=a%2Fb";
const phone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1";

let notificationId = "";
/** A link of a new message. */
async function makeLink(url = target, sandbox = false): Promise<string> {
  notificationId = messageId(await world.send({}, sandbox ? { environment: "sandbox" } : {}));
  const { links } = await shortLinks(
    tenant.worker,
    {
      notificationId,
      environmentId: tenant.environments[sandbox ? "sandbox" : "production"],
      sandbox,
      tenant: { dataRegion: "EU", settings: { allowedTransferRegions: [] } },
    },
    new Set([url]),
    { http: world.http },
  );
  return links.get(url)?.split("/l/")[1] ?? "";
}
const follow = (code: string, options: { method?: string; headers?: Record<string, string>; db?: Db } = {}) =>
  serveShortLink(
    new Request(`http://tidings.test/l/${code}`, {
      method: options.method ?? "GET",
      headers: { "user-agent": phone, ...options.headers },
    }),
    code,
    { db: () => options.db ?? database.web },
  );
const stored = async (code: string) =>
  (
    await database.owner.query<{
      clicks: number;
      first_clicked_at: Date | null;
      last_clicked_at: Date | null;
    }>("SELECT * FROM short_links WHERE code = $1", [code])
  ).rows[0];
const clicks = async () => (await world.events(notificationId)).filter(({ type }) => type === "clicked");

beforeAll(async () => {
  await createWebhookEndpoint(tenant.system, {
    environmentId: tenant.environments.production,
    application: "shop",
    url: "https://8.8.8.8/hooks",
    events: ["link.clicked"],
  });
});

describe("following a short link", () => {
  test("leads to its target at once, uncached and without a referrer", async () => {
    const answer = await follow(await makeLink());
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toBe(target);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("x-robots-tag")).toContain("noindex");
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
    expect(answer.headers.has("x-tidings-sandbox")).toBe(false);
  });

  test("counts, is an event of the message with the address, and enqueues link.clicked", async () => {
    const code = await makeLink();
    await follow(code);
    await follow(code);
    const link = await stored(code);
    expect(link?.clicks).toBe(2);
    expect(link?.first_clicked_at?.getTime()).toBeLessThanOrEqual(link?.last_clicked_at?.getTime() ?? 0);
    expect(await clicks()).toMatchObject([{ data: { url: target } }, { data: { url: target } }]);
    const { rows } = await database.owner.query(
      "SELECT event FROM webhook_deliveries WHERE notification_id = $1 ORDER BY id",
      [notificationId],
    );
    expect(rows).toEqual([{ event: "link.clicked" }, { event: "link.clicked" }]);
    const told = await getNotification(tenant.system, { id: notificationId });
    expect(told.events.at(-1)).toMatchObject({ type: "clicked", url: target });
    const masked = await getNotification(tenant.as("auditor"), { id: notificationId });
    expect(masked.events.at(-1)).not.toHaveProperty("url");
  });

  test("in a loop is counted, but reports at most a hundred clicks", async () => {
    const code = await makeLink();
    for (let round = 0; round < 105; round++) await follow(code);
    expect((await stored(code))?.clicks).toBe(105);
    expect(await clicks()).toHaveLength(100);
  });

  test("does not count for HEAD, for previews of messengers and for prefetching", async () => {
    const code = await makeLink();
    const whatsapp = { "user-agent": "WhatsApp/2.23.20.0" };
    const apple = {
      "user-agent":
        "Mozilla/5.0 (Macintosh) AppleWebKit/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0",
    };
    for (const options of [
      { method: "HEAD" },
      { headers: whatsapp },
      { headers: apple },
      { headers: { "sec-purpose": "prefetch;prerender" } },
    ]) {
      const answer = await follow(code, options);
      expect([answer.status, answer.headers.get("location")]).toEqual([302, target]);
    }
    expect((await stored(code))?.clicks).toBe(0);
    expect(await clicks()).toEqual([]);
  });

  test("of the sandbox works and is marked", async () => {
    const answer = await follow(await makeLink(target, true));
    expect([answer.status, answer.headers.get("x-tidings-sandbox")]).toEqual([302, "true"]);
  });

  test("still works when the click cannot be written, or takes too long", async () => {
    const code = await makeLink();
    const { pool } = database.web;
    for (const write of [
      () => Promise.reject(new Error("away")),
      () => new Promise<never>(() => undefined),
    ]) {
      const broken = {
        ...database.web,
        pool: {
          query: (query: { text: string }) =>
            query.text.includes("record_link_click") ? write() : pool.query(query),
        },
      } as unknown as Db;
      const answer = await follow(code, { db: broken });
      expect([answer.status, answer.headers.get("location")]).toEqual([302, target]);
    }
  });

  test("in a loop does not take the connections of everybody else", async () => {
    const code = await makeLink();
    const db = openDb("web", database.webUrl, { poolSize: 4 });
    const holder = await database.owner.connect();
    await holder.query("BEGIN");
    await holder.query("SELECT pg_advisory_xact_lock(hashtextextended('clicks ' || $1, 0))", [
      notificationId,
    ]);
    const loop = await Promise.all(Array.from({ length: 20 }, () => follow(code, { db })));
    expect(loop.every(({ status }) => status === 302)).toBe(true);
    const free = Promise.all([db.pool.query("SELECT pg_sleep(0.1)"), db.pool.query("SELECT pg_sleep(0.1)")]);
    expect(await Promise.race([free.then(() => "free"), sleep(2_000, "taken")])).toBe("free");
    await holder.query("COMMIT");
    holder.release();
    await expect.poll(async () => (await stored(code))?.clicks, { timeout: 5_000 }).toBe(20);
    await db.close();
  });

  test("without the database gets a 503, to be tried again", async () => {
    const away = {
      ...database.web,
      pool: { query: () => Promise.reject(new Error("away")) },
    } as unknown as Db;
    const answer = await follow("AAAAAAAAAAA", { db: away });
    expect([answer.status, answer.headers.has("retry-after")]).toEqual([503, true]);
  });
});

describe("a code that leads nowhere", () => {
  test("unknown, expired or impossible: one answer, byte for byte, and nothing written", async () => {
    const expired = await makeLink();
    await database.owner.query("UPDATE short_links SET expires_at = now() - interval '1 s' WHERE code = $1", [
      expired,
    ]);
    const answers = await Promise.all(
      ["AAAAAAAAAAA", expired, "x", "../../etc", "'; DROP TABLE short_links", "\u0000", "é".repeat(11)].map(
        async (code) => {
          const answer = await serveShortLink(
            new Request("http://tidings.test/l/x", {
              headers: { "user-agent": phone, "x-request-id": "same" },
            }),
            code,
            { db: () => database.web },
          );
          return { status: answer.status, headers: [...answer.headers], text: await answer.text() };
        },
      ),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 404 });
    expect(answers[0]?.text).toContain("This link doesn't work");
    expect((await stored(expired))?.clicks).toBe(0);
  });

  test("is deleted when it has expired; the others stay", async () => {
    const expired = await makeLink();
    const kept = await makeLink();
    await database.owner.query("UPDATE short_links SET expires_at = now() - interval '1 s' WHERE code = $1", [
      expired,
    ]);
    expect(await purgeLinks(database.worker)).toBeGreaterThan(0);
    expect([await stored(expired), (await stored(kept))?.clicks]).toEqual([undefined, 0]);
  });
});

test("a link of one tenant cannot be counted under another", async () => {
  const stranger = await makeSendingWorld(database);
  const code = await makeLink();
  const { rows } = await database.owner.query<{ id: string }>("SELECT id FROM short_links WHERE code = $1", [
    code,
  ]);
  await database.web.pool.query("SELECT record_link_click($1, $2, 100)", [stranger.tenantId, rows[0]?.id]);
  expect((await stored(code))?.clicks).toBe(0);
});

test("browsers count as people; what identifies itself as a program does not", () => {
  const of = (agent: string, method = "GET") =>
    machineReason({ method, headers: new Headers(agent === "" ? {} : { "user-agent": agent }) }) === null;
  const people = [
    phone,
    "Mozilla/5.0 (Linux; Android 16; Pixel 10) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0 Mobile Safari/537.36",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:150.0) Gecko/20100101 Firefox/150.0",
    "Mozilla/5.0 (Linux; Android 15; SM-S938B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36",
    "Mozilla/5.0 (Linux; U; Android 9; CUBOT X19) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/99.0 Mobile Safari/537.36",
  ];
  const programs = [
    "",
    "TelegramBot (like TwitterBot)",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
    "SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com",
    "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
    "curl/8.9.1",
  ];
  expect(people.map((agent) => of(agent))).toEqual(people.map(() => true));
  expect(programs.map((agent) => of(agent))).toEqual(programs.map(() => false));
  expect(of(phone, "HEAD")).toBe(false);
});

test("a preview's link is as long as a real one, and other texts are left alone", async () => {
  const code = await makeLink();
  const base = "http://localhost:3000";
  expect(exampleLink({ kind: "built_in", domain: null }, base)).toHaveLength(`${base}/l/${code}`.length);
  const shorten = previewLinks({ kind: "bitly", domain: "go.shop.example" }, base);
  expect(shorten(target)).toBe("https://go.shop.example/xxxxxxx");
  fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(!text.startsWith("http"));
      expect(shorten(text)).toBe(text);
    }),
  );
});
