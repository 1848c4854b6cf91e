import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { chromium } from "@playwright/test";
import { expect, test } from "vitest";
import { findChromium } from "../../scripts/lib/chromium.ts";
import { recordConsent } from "../consent/record-consent.ts";
import { standingOf } from "../consent/standing.ts";
import { readUnsubscribeToken, unsubscribeHeaders, unsubscribeToken } from "../consent/unsubscribe-token.ts";
import { normalizeAddress } from "../kernel/address.ts";
import { inTenant } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { sealOwn } from "../kernel/secrets.ts";
import { testDatabase } from "../testing/database.ts";
import { runsOf } from "../testing/long-run.ts";
import { makeTenant } from "../testing/factories.ts";
import { preferenceLanguages, preferenceTexts } from "../consent/preference-texts.ts";
import { serveConfirmation } from "./serve-confirmation.ts";
import { servePreferences } from "./serve-preferences.ts";

const database = await testDatabase();
const deps = { db: () => database.web };
const base = "https://tidings.example/api/app/unsubscribe/";

async function makeWorld(fields: { language?: string; sandbox?: boolean; address?: string } = {}) {
  const tenant = await makeTenant(database);
  const { address = "ada.lovelace@example.com" } = fields;
  const of = {
    tenantId: tenant.tenantId,
    sandbox: false,
    address,
    class: "marketing" as const,
    language: "en",
    ...fields,
  };
  const token = unsubscribeToken(of);
  const ask = async (init: RequestInit = {}, as = token) => {
    const response = await servePreferences(new Request(base + as, init), as, deps);
    return { status: response.status, text: await response.text(), headers: response.headers };
  };
  const form = (fieldsOf: Record<string, string>) =>
    ask({ method: "POST", body: new URLSearchParams(fieldsOf) });
  const oneClick = () => form({ "List-Unsubscribe": "One-Click" });
  const ledger = async () =>
    (
      await database.owner.query<{ class: string; state: string; source: string; sandbox: boolean }>(
        `SELECT class, state, source, sandbox FROM consent_entries WHERE tenant_id = $1 ORDER BY at, id`,
        [tenant.tenantId],
      )
    ).rows;
  const ticked = (text: string) => [...text.matchAll(/name="(\w+)" checked/g)].map((match) => match[1]);
  return { tenant, address, of, token, ask, form, oneClick, ledger, ticked };
}

test("one click ends marketing and nothing else, without a cookie, in either form that mail programs post", async () => {
  const { ask, oneClick, ledger, ticked } = await makeWorld();
  const answer = await oneClick();
  expect(answer.status).toBe(200);
  expect(answer.headers.get("set-cookie")).toBeNull();
  expect(answer.text).toContain("You are unsubscribed from news and offers.");
  expect(ticked(answer.text)).toEqual(["service", "transactional"]);
  // Also where nobody had agreed to marketing: the organisation may do with less one day.
  expect(await ledger()).toMatchObject([{ class: "marketing", state: "opted_out" }]);
  const yes = await makeWorld();
  await yes.form({ form: "preferences", marketing: "on", service: "on", transactional: "on" });
  const multipart = new FormData();
  multipart.set("List-Unsubscribe", "One-Click");
  expect((await yes.ask({ method: "POST", body: multipart })).status).toBe(200);
  expect(await yes.ledger()).toEqual([
    { class: "marketing", state: "opted_in", source: "unsubscribe_link", sandbox: false },
    { class: "marketing", state: "opted_out", source: "unsubscribe_link", sandbox: false },
  ]);
  expect((await ask()).status).toBe(200);
});

test("a repeated click changes nothing, and one after a new yes counts", async () => {
  const { form, oneClick, ledger } = await makeWorld();
  const agree = () => form({ form: "preferences", marketing: "on", service: "on", transactional: "on" });
  await agree();
  for (let times = 0; times < 5; times++) expect((await oneClick()).status).toBe(200);
  expect(await ledger()).toHaveLength(2);
  await agree();
  await oneClick();
  expect((await ledger()).map(({ state }) => state)).toEqual([
    "opted_in",
    "opted_out",
    "opted_in",
    "opted_out",
  ]);
});

test("a click counts where a later yes named a region, however the address had refused before, and once", async () => {
  const { tenant, address, ask, oneClick, form, ticked } = await makeWorld();
  const say = (state: "opted_in" | "opted_out", ms: number, region?: string) =>
    inTenant(tenant.system, (tx) =>
      recordConsent(tenant.system, tx, {
        sandbox: false,
        channel: "email",
        address,
        state,
        class: "marketing",
        source: "api",
        at: new Date(Date.now() - ms),
        ...(region === undefined ? {} : { region }),
      }),
    );
  await say("opted_out", 60_000);
  await say("opted_in", 30_000, "DE");
  const inGermany = async () =>
    (
      await standingOf(tenant.system, [
        {
          sandbox: false,
          channel: "email",
          addresses: [address, address],
          region: "DE",
          class: "marketing",
        },
      ])
    )[0]?.consent;
  expect(await inGermany()).toBe("opted_in");
  expect(ticked((await ask()).text)).toContain("marketing");
  // What they leave ticked says nothing.
  await form({ form: "preferences", marketing: "on", service: "on", transactional: "on" });
  const count = async () =>
    (
      await database.owner.query<{ n: number }>(
        "SELECT count(*)::int AS n FROM consent_entries WHERE tenant_id = $1",
        [tenant.tenantId],
      )
    ).rows[0]?.n;
  expect(await count()).toBe(2);
  expect((await oneClick()).text).toContain("You are unsubscribed");
  expect(await inGermany()).toBe("opted_out");
  expect(ticked((await ask()).text)).not.toContain("marketing");
  await oneClick();
  expect(await count()).toBe(3);
});

test("the link works for every address that the product sends to", async () => {
  for (const written of [
    "ada@xn--e1afmkfd.xn--p1ai",
    "jürgen@example.com",
    "a&b@example.com",
    "o'neill@example.com",
    "ada@пример.рф",
    "a@b",
    `${"a".repeat(64)}@${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.exam`,
  ]) {
    const address = normalizeAddress("email", written);
    if (address === null) throw new Error(written);
    const { ask, oneClick, ledger } = await makeWorld({ address });
    expect((await ask()).status, written).toBe(200);
    expect((await oneClick()).status, written).toBe(200);
    expect(await ledger(), written).toMatchObject([{ class: "marketing", state: "opted_out" }]);
  }
});

test("a link whose contents cannot be read leads nowhere", async () => {
  const { ask } = await makeWorld();
  for (const [purpose, serve] of [
    ["unsubscribe links", servePreferences],
    ["confirmation links", serveConfirmation],
  ] as const) {
    for (const text of ["not JSON, but long enough to be one", JSON.stringify(["x".repeat(40)])]) {
      const token = sealOwn(purpose, "e-mail", text).toString("base64url");
      expect((await serve(new Request(base + token), token, deps)).status).toBe(404);
    }
  }
  expect((await ask()).status).toBe(200);
});

/** What link scanners, previews and prefetching add to a link that they follow. */
const scannedQueries = [
  "",
  "?List-Unsubscribe=One-Click",
  "?form=preferences",
  "?form=preferences&marketing=&service=&transactional=",
  "?list-unsubscribe=one-click&_method=POST",
  "?utm_source=mail#List-Unsubscribe=One-Click",
  "?X-HTTP-Method-Override=POST",
];
const scannersHeaders: Record<string, string>[] = [
  {},
  { "user-agent": "Mozilla/5.0 (compatible; MSIE 9.0; Windows NT 6.1; SafeLinks)" },
  { "x-http-method-override": "POST", "x-method-override": "POST" },
  {
    "content-type": "application/x-www-form-urlencoded",
    "list-unsubscribe-post": "List-Unsubscribe=One-Click",
  },
  { "sec-purpose": "prefetch;prerender", purpose: "prefetch", "x-moz": "prefetch" },
  { cookie: "session=x; preferences=off", range: "bytes=0-0", "accept-language": "xx" },
];

test("GET and HEAD change nothing, whoever follows the link, and neither does a POST that is no choice", async () => {
  const { ask, form, ledger, token } = await makeWorld();
  await form({ form: "preferences", marketing: "on", service: "on", transactional: "on" });
  const before = await ledger();
  const requests = runsOf("TIDINGS_SCANNER_REQUESTS", 500);
  for (let times = 0; times < requests; times++) {
    const method = times % 2 === 0 ? "GET" : "HEAD";
    const query = scannedQueries[times % scannedQueries.length] ?? "";
    const headers = scannersHeaders[times % scannersHeaders.length] ?? {};
    const request = new Request(base + token + query, { method, headers });
    const answer = await servePreferences(request, token, deps);
    expect(answer.status).toBe(200);
  }
  expect((await form({ anything: "else" })).status).toBe(422);
  expect((await ask({ method: "POST", body: "List-Unsubscribe=One-Click" })).status).toBe(422);
  expect(
    (await ask({ method: "POST", body: "{}", headers: { "content-type": "application/json" } })).status,
  ).toBe(422);
  expect(
    (await ask({ method: "POST", body: "x", headers: { "content-type": "multipart/form-data" } })).status,
  ).toBe(422);
  expect((await ask({ method: "POST", body: new URLSearchParams({ a: "x".repeat(17_000) }) })).status).toBe(
    413,
  );
  expect(await ledger()).toEqual(before);
});

test("a page load by a browser without a person changes nothing, whatever the page fetches or runs", async () => {
  const { ledger, form, token } = await makeWorld();
  await form({ form: "preferences", marketing: "on", service: "on", transactional: "on" });
  const before = await ledger();
  const methods: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    methods.push(request.method);
    void servePreferences(new Request(base + token, { method: request.method ?? "GET" }), token, deps).then(
      async (answer) => {
        const body = Buffer.from(await answer.arrayBuffer());
        response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(body);
      },
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const browser = await chromium.launch({ executablePath: findChromium(), args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage();
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/${token}`;
    await page.goto(url, { waitUntil: "networkidle" });
    await page.getByRole("checkbox").first().waitFor();
    await page.reload({ waitUntil: "networkidle" });
  } finally {
    await browser.close();
    server.close();
  }
  expect(methods.length).toBeGreaterThanOrEqual(2);
  expect(new Set(methods)).toEqual(new Set(["GET"]));
  expect(await ledger()).toEqual(before);
}, 120_000);

test("the form records what was changed, class by class, in the ledger of the mail", async () => {
  const { form, ledger, ticked, ask } = await makeWorld({ sandbox: true });
  const answer = await form({ form: "preferences", transactional: "on" });
  expect(answer.text).toContain("Saved.");
  expect(ticked((await ask()).text)).toEqual(["transactional"]);
  expect(await ledger()).toEqual(
    ["marketing", "service"].map((name) => ({
      class: name,
      state: "opted_out",
      source: "unsubscribe_link",
      sandbox: true,
    })),
  );
});

test("who changes their mind all day is asked to wait, and a no is always taken", async () => {
  const { form, oneClick, ledger } = await makeWorld();
  const all = { form: "preferences", marketing: "on", service: "on", transactional: "on" };
  let last = 200;
  for (let times = 0; times < 40 && last === 200; times++) {
    last = (await form(all)).status;
    if (last === 200) await oneClick();
  }
  expect(last).toBe(429);
  expect((await ledger()).length).toBeLessThanOrEqual(32);
  expect((await oneClick()).status).toBe(200);
  expect((await ledger()).at(-1)?.state).toBe("opted_out");
});

test("a link that was made up, changed or is of an organisation that is gone leads nowhere", async () => {
  const { token, ask, ledger, of } = await makeWorld();
  const middle = Math.floor(token.length / 2);
  const changed = token.slice(0, middle) + (token[middle] === "A" ? "B" : "A") + token.slice(middle + 1);
  const gone = unsubscribeToken({ ...of, tenantId: newId() });
  const one = { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) };
  for (const wrong of [
    "",
    "x",
    "A".repeat(200),
    changed,
    token.slice(1),
    `${token}A`,
    gone,
    "A".repeat(5_000),
  ]) {
    expect((await ask({}, wrong)).status, wrong).toBe(404);
    expect((await ask(one, wrong)).status, wrong).toBe(404);
  }
  expect(await ledger()).toEqual([]);
});

test("the page tells nobody else whose it is: the address is masked, and in no header or link", async () => {
  const { ask, address, token } = await makeWorld();
  const { text, headers } = await ask();
  expect(text).not.toContain(address);
  expect(text).toContain("a•••@example.com");
  expect(Buffer.from(token, "base64url").toString("latin1")).not.toContain("ada");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  expect(headers.get("x-robots-tag")).toContain("noindex");
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
});

test("the name of an organisation is text, whatever it holds", async () => {
  const { tenant, ask } = await makeWorld();
  await database.owner.query("UPDATE tenants SET name = $2 WHERE id = $1", [
    tenant.tenantId,
    `<img src=x onerror=alert(1)>&"$&`,
  ]);
  const { text } = await ask();
  expect(text).not.toContain("<img src=x");
  expect(text).toContain("&lt;img src=x");
});

test("it has the words of the message's language, all of them, and English for others", async () => {
  expect(preferenceLanguages).toHaveLength(12);
  for (const language of preferenceLanguages) {
    const { ask } = await makeWorld({ language });
    const { texts, direction } = preferenceTexts(language);
    const { text } = await ask();
    expect(text).toContain(`<html lang="${language}" dir="${direction}">`);
    expect(text).toContain(`<span>${texts.marketing}</span>`);
    expect(Object.values<string>({ ...texts }).every((each) => each.trim() !== "")).toBe(true);
  }
  for (const language of ["xx", "constructor", ""]) {
    expect(preferenceTexts(language)).toMatchObject({ language: "en" });
  }
});

test("a token says what the mail was, of any length, and fits a header line", () => {
  for (const length of [1, 20, 64]) {
    const address = `${"a".repeat(length)}@${"b".repeat(60)}.example`;
    const of = { tenantId: newId(), sandbox: true, address, class: "marketing" as const, language: "ar" };
    expect(readUnsubscribeToken(unsubscribeToken(of))).toEqual(of);
    const fields = unsubscribeHeaders("https://tidings.example", of);
    expect(fields["List-Unsubscribe"]).toMatch(/^<https:\/\/\S+>$/);
    expect(fields["List-Unsubscribe"]?.length).toBeLessThan(900);
  }
});
