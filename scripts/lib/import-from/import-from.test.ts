import { execFile } from "node:child_process";
import { writeFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { Logger as GraphileLogger, run } from "graphile-worker";
import { afterAll, describe, expect, it } from "vitest";
import { childEnvironment, startApiServer } from "../../../server/testing/api-server.ts";
import { testDatabase } from "../../../server/testing/database.ts";
import { makeTenant } from "../../../server/testing/factories.ts";
import { startFakeProvider } from "../../../server/testing/fake-provider.ts";
import type { ProviderAnswer, ProviderCall } from "../../../server/testing/fake-provider.ts";
import { runImport } from "../../../server/template-files/run-import.ts";
import { importTemplates } from "../../../server/template-files/tasks.ts";
import { taskFor } from "../../../worker/tasks/parse-payload.ts";
import { root } from "../paths.ts";
import { fromNovu, fromTwilio } from "./syntax.ts";

const api = await startApiServer();
const database = await testDatabase();
api.serve(database.web);
const runner = await run({
  pgPool: database.worker.pool,
  noHandleSignals: true,
  logger: new GraphileLogger(() => () => undefined),
  taskList: {
    [importTemplates.name]: taskFor(importTemplates, (payload) =>
      runImport({ db: database.worker }, payload),
    ),
  },
});
const folder = mkdtempSync(path.join(tmpdir(), "tidings-import-from-"));
const secret = "novu-SECRETMARK";
const token = "twilio-SECRETMARK";

/** The facts of Novu's API: two pages of subscribers, answers with and without `data`, every kind of step. */
function novu({ path: at, query, headers }: ProviderCall): ProviderAnswer {
  if (headers.authorization !== `ApiKey ${secret}`) return { status: 401, body: { message: secret } };
  const subscriber = (id: string, fields: object) => ({
    subscriberId: id,
    firstName: null,
    lastName: null,
    data: null,
    ...fields,
  });
  if (at === "/v2/subscribers")
    return query.get("after") === null
      ? {
          status: 200,
          body: {
            data: [
              subscriber("ada", {
                firstName: "Ada",
                lastName: "Lovelace",
                email: "ada@example.com",
                phone: "+4915112345678",
                locale: "de_DE",
                timezone: "Europe/Berlin",
                data: { plan: "gold", tags: ["a"] },
              }),
              subscriber("push-only", {}),
            ],
            next: "cursor-2",
            previous: null,
          },
        }
      : {
          status: 200,
          body: { data: [subscriber("bob", { email: "bob@example.com" })], next: null, previous: "cursor-1" },
        };
  const off = { enabled: true, channels: { email: true, sms: false, in_app: true } };
  if (at === "/v2/subscribers/ada/preferences")
    return {
      status: 200,
      body: {
        data: {
          global: off,
          workflows: [{ enabled: true, channels: { email: false }, workflow: { slug: "news" } }],
        },
      },
    };
  if (at === "/v2/subscribers/bob/preferences")
    return {
      status: 200,
      body: { data: { global: { enabled: true, channels: { email: true, sms: true } }, workflows: [] } },
    };
  if (at === "/v2/workflows")
    return { status: 200, body: { data: { workflows: [{ workflowId: "order-shipped" }], totalCount: 1 } } };
  if (at === "/v2/workflows/order-shipped")
    return {
      status: 200,
      body: {
        data: {
          workflowId: "order-shipped",
          payloadSchema: { type: "object", required: ["number"] },
          steps: [
            {
              type: "sms",
              name: "SMS",
              controls: {
                values: {
                  body: "Hi {{subscriber.firstName}}, order {{payload.number | upcase}} is on its way.",
                },
              },
            },
            {
              type: "email",
              name: "Mail",
              controls: {
                values: {
                  subject: "Order {{payload.number}}",
                  body: "<p>{% if payload.gift %}A gift!{% endif %} {{payload.address.city}}</p>",
                  editorType: "html",
                },
              },
            },
            {
              type: "email",
              name: "Blocks",
              controls: { values: { subject: "x", body: '{"type":"doc"}', editorType: "block" } },
            },
            {
              type: "sms",
              name: "Loop",
              controls: { values: { body: "{% for item in payload.items %}{{item}}{% endfor %}" } },
            },
            { type: "in_app", name: "Inbox", controls: { values: { body: "Hello" } } },
            { type: "digest", name: "Digest", controls: { values: {} } },
          ],
        },
      },
    };
  return { status: 404, body: {} };
}

/** Facts of Twilio's: contents and messages in pages, a next page with another host, numbered placeholders. */
function twilio({ path: at, query, headers }: ProviderCall): ProviderAnswer {
  const sid = `AC${"1".repeat(32)}`;
  if (headers.authorization !== `Basic ${Buffer.from(`${sid}:${token}`).toString("base64")}`)
    return { status: 401 };
  const content = (n: number, name: string, types: object) => ({
    sid: `HX${String(n).repeat(32)}`,
    friendly_name: name,
    language: "en",
    variables: { "1": "Ada", "2": "4711" },
    types,
  });
  if (at === "/v1/Content")
    return query.get("Page") === null
      ? {
          status: 200,
          body: {
            contents: [
              content(1, "order_shipped", {
                "twilio/text": { body: "Hi {{1}}, order {{2}} is on its way." },
              }),
            ],
            meta: {
              key: "contents",
              next_page_url: "https://content.twilio.com/v1/Content?PageSize=500&Page=1",
            },
          },
        }
      : {
          status: 200,
          body: {
            contents: [
              content(2, "order_choice", {
                "twilio/quick-reply": {
                  body: "Keep {{1}}?",
                  actions: [{ type: "QUICK_REPLY", title: "Yes", id: "y" }],
                },
              }),
              content(4, "order_again", { "twilio/text": { body: "Again {{1}}" } }),
              content(3, "shop", { "twilio/location": { latitude: 1, longitude: 2 } }),
            ],
            meta: { key: "contents", next_page_url: null },
          },
        };
  if (at === `/2010-04-01/Accounts/${sid}/Messages.json`)
    return query.get("Page") === null
      ? {
          status: 200,
          body: {
            messages: [
              { to: "+4915112345601", error_code: 21610, date_created: "Mon, 16 Aug 2027 03:45:01 +0000" },
              { to: "+4915112345602", error_code: null, date_created: "Mon, 16 Aug 2027 03:45:01 +0000" },
            ],
            next_page_uri: `/2010-04-01/Accounts/${sid}/Messages.json?PageSize=1000&Page=1`,
          },
        }
      : {
          status: 200,
          body: {
            messages: [
              { to: "+4915112345601", error_code: 21610, date_created: "Sun, 15 Aug 2026 03:45:01 +0000" },
            ],
            next_page_uri: null,
          },
        };
  return { status: 404, body: {} };
}

const services = { novu: await startFakeProvider(novu), twilio: await startFakeProvider(twilio) };
afterAll(async () => {
  await runner.stop();
  await services.novu.close();
  await services.twilio.close();
  await api.close();
  rmSync(folder, { recursive: true, force: true });
});

const execute = promisify(execFile);
async function command(key: string, args: string[], env: Record<string, string> = {}) {
  const ended = await execute(process.execPath, ["scripts/import-from.ts", ...args], {
    cwd: root,
    env: childEnvironment({
      OUTBOUND_ALLOW: "127.0.0.0/8",
      TIDINGS_URL: api.url,
      TIDINGS_API_KEY: key,
      NOVU_API_URL: services.novu.baseUrl,
      NOVU_SECRET_KEY: secret,
      TWILIO_API_URL: services.twilio.baseUrl,
      TWILIO_CONTENT_URL: services.twilio.baseUrl,
      TWILIO_ACCOUNT_SID: `AC${"1".repeat(32)}`,
      TWILIO_AUTH_TOKEN: token,
      ...env,
    }),
  }).catch((error: unknown) => error as { code: number; stdout: string; stderr: string });
  const { stdout, stderr } = ended;
  expect(`${stdout}${stderr}`).not.toMatch(/SECRETMARK/);
  return { code: "code" in ended ? ended.code : 0, stdout, stderr };
}

async function world() {
  const tenant = await makeTenant(database);
  const { key } = await tenant.makeKey("production", { role: "administrator", rateLimitPerMinute: 10_000 });
  const count = async (table: string) =>
    (
      await database.owner.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM ${table} WHERE tenant_id = $1`,
        [tenant.tenantId],
      )
    ).rows[0]?.n;
  const all = async () => ({
    templates: await count("templates"),
    versions: await count("template_versions"),
    contacts: await count("contacts"),
    consents: await count("consent_entries"),
  });
  return { tenant, key, all };
}

const novuArgs = ["novu", "--application", "shop", "--type", "order/order_status"];

describe("importing from Novu", () => {
  it("brings templates, contacts and opt-outs, tells what has no counterpart, and changes nothing when it is repeated", async () => {
    const { tenant, key, all } = await world();
    const before = await all();

    const dry = await command(key, [...novuArgs, "--dry-run"]);
    expect(dry).toMatchObject({ code: 0, stderr: "" });
    expect(dry.stdout).toContain("Templates of shop: 2 to create, 0 to change, 0 unchanged.");
    expect(dry.stdout).toContain("Contacts: 2 with an ID that is new, 0 with one that is known.");
    expect(dry.stdout).toContain("Consent: 2 opt-outs of 1 addresses.");
    expect(dry.stdout).toContain("Nothing was written.");
    expect(await all()).toEqual(before);

    const first = await command(key, novuArgs);
    expect(first).toMatchObject({ code: 0, stderr: "" });
    for (const told of [
      "step Blocks (email)",
      "step Loop (sms): {% for %} has no counterpart",
      "step Inbox (in_app): There is no such channel here",
      "step Digest (digest): There are no workflows here",
      "subscriber push-only: It has neither a mail address nor a phone number",
      "subscriber ada: data.tags",
      "subscriber ada: 1 workflows off",
    ])
      expect(first.stdout).toContain(told);
    const { rows } = await database.owner.query(
      `SELECT t.name, t.channel, v.subject, v.body, v.variables FROM templates t JOIN template_versions v
         ON v.tenant_id = t.tenant_id AND v.template_id = t.id WHERE t.tenant_id = $1 AND t.name = 'order-shipped' ORDER BY t.channel`,
      [tenant.tenantId],
    );
    expect(rows).toMatchObject([
      {
        channel: "email",
        subject: "Order {{ number }}",
        body: "<p>{% if gift %}A gift!{% endif %} {{ address_city }}</p>",
      },
      { channel: "sms", body: "Hi {{ subscriber_firstName }}, order {{ number | upcase }} is on its way." },
    ]);
    expect(rows[1]).toMatchObject({
      variables: [
        { name: "subscriber_firstName", required: false },
        { name: "number", required: true },
      ],
    });
    const consents = await database.owner.query(
      "SELECT channel, address, state, class FROM consent_entries WHERE tenant_id = $1 ORDER BY class",
      [tenant.tenantId],
    );
    expect(consents.rows).toEqual(
      ["marketing", "service"].map((of) => ({
        channel: "sms",
        address: "+4915112345678",
        state: "opted_out",
        class: of,
      })),
    );

    const after = await all();
    const again = await command(key, novuArgs);
    expect(again.stdout).toContain("0 to create, 0 to change, 2 unchanged");
    expect(again.stdout).toContain("Contacts: 0 created, 0 changed, 2 unchanged, 0 failed.");
    expect(again.stdout).toContain("Consent: 0 opt-outs recorded, 2 recorded before, 0 failed.");
    expect(await all()).toEqual(after);
  }, 60_000);

  it("leaves out what has no notification type, and says why nothing happened when the key or the secret is wrong", async () => {
    const { key } = await world();
    const untyped = await command(key, ["novu", "--application", "shop", "--only", "templates"]);
    expect(untyped.stdout).toContain("No notification type is given for this workflow");
    const refused = await command(key, novuArgs, { NOVU_SECRET_KEY: "other" });
    expect(refused).toMatchObject({ code: 1, stderr: "Novu does not accept the credentials (401).\n" });
    const private_ = await command(key, novuArgs, { OUTBOUND_ALLOW: "10.0.0.0/8" });
    expect(private_.code).toBe(1);
    expect(private_.stderr).toContain("Novu does not answer");
    expect((await command(key, ["novu", "--only", "everything"])).stderr).toContain(
      "--only takes templates, contacts, consent",
    );
  }, 60_000);
});

it("reads the preferences of more subscribers than it reads pages, and asks again after an error that passes", async () => {
  const { key } = await world();
  const pages = 21;
  let broken = 0;
  const large = await startFakeProvider(({ path: at, query }) => {
    if (at !== "/v2/subscribers")
      return { status: 200, body: { data: { global: { enabled: true, channels: {} }, workflows: [] } } };
    const page = Number(query.get("after") ?? 0);
    if (page === 1 && broken++ === 0) return { status: 503, headers: { "retry-after": "0.01" } };
    const data = Array.from({ length: 100 }, (_, n) => ({
      subscriberId: `s${page}-${n}`,
      email: `s${page}-${n}@example.com`,
    }));
    return { status: 200, body: { data, next: page + 1 < pages ? String(page + 1) : null } };
  });
  const result = await command(key, ["novu", "--only", "consent", "--dry-run"], {
    NOVU_API_URL: large.baseUrl,
  });
  await large.close();
  expect(result).toMatchObject({ code: 0, stderr: "" });
  expect(large.calls.length).toBe(pages * 101 + 1);
}, 90_000);

it("waits where the rate of the key is used up, and goes on", async () => {
  const asked: unknown[] = [];
  const tidings = await startFakeProvider(({ headers }) => {
    asked.push(headers["idempotency-key"]);
    return asked.length === 1
      ? { status: 429, headers: { "retry-after": "0" }, body: { code: "rate_limited", detail: "Later." } }
      : { status: 200, body: { results: [{ status: "recorded" }, { status: "recorded" }] } };
  });
  const csv = path.join(folder, "rate.csv");
  writeFileSync(csv, "+4915112345699\n");
  const result = await command("tdg_live_key", ["twilio", "--opt-outs", csv], {
    TIDINGS_URL: tidings.baseUrl,
    TWILIO_ACCOUNT_SID: "",
  });
  await tidings.close();
  expect(result.stdout).toContain("Consent: 2 opt-outs recorded");
  // The same key both times: what was lost on the way back is not written again.
  expect(asked[0]).toMatch(/\S/);
  expect(asked[1]).toBe(asked[0]);
});

describe("importing from Twilio", () => {
  it("brings content templates and opt-outs from the API and the console's file, and changes nothing when it is repeated", async () => {
    const { tenant, key, all } = await world();
    const csv = path.join(folder, "opt-outs.csv");
    writeFileSync(
      csv,
      "\uFEFFPhone Number,Date\n+4915112345603,2026-03-31\nnobody,2026-03-31\n+4915112345601,2026-01-01\n",
    );
    const args = ["twilio", "--application", "shop", "--type", "order/order_status", "--opt-outs", csv];
    writeFileSync(path.join(folder, "types.json"), JSON.stringify({ order_choice: "account/maintenance" }));
    args.push("--types", path.join(folder, "types.json"));
    const before = await all();
    expect((await command(key, [...args, "--dry-run"])).stdout).toContain("Templates of shop: 3 to create");
    expect(await all()).toEqual(before);

    const first = await command(key, args);
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toContain(
      "shop (HX33333333333333333333333333333333), twilio/location: It has no text",
    );
    expect(first.stdout).toContain("twilio/quick-reply: media and buttons");
    for (const channel of ["sms", "whatsapp"])
      expect(first.stdout).toContain(
        `template order_again (${channel}): order_shipped is for order/order_status as well`,
      );
    expect(first.stdout).toContain("opt-outs, row 3: It has no number");
    const { rows } = await database.owner.query(
      `SELECT t.name, t.channel, t.language, v.body, v.metadata FROM templates t JOIN template_versions v
         ON v.tenant_id = t.tenant_id AND v.template_id = t.id WHERE t.tenant_id = $1 AND t.language = 'en' ORDER BY t.name, t.channel`,
      [tenant.tenantId],
    );
    expect(rows).toMatchObject([
      {
        name: "order_choice",
        channel: "whatsapp",
        body: "Keep {{ value1 }}?",
        metadata: { templateName: `HX${"2".repeat(32)}`, parameters: ["{{ value1 }}"] },
      },
      { name: "order_shipped", channel: "sms", body: "Hi {{ value1 }}, order {{ value2 }} is on its way." },
      {
        name: "order_shipped",
        channel: "whatsapp",
        metadata: { parameters: ["{{ value1 }}", "{{ value2 }}"] },
      },
    ]);
    const consents = await database.owner.query<{ address: string }>(
      "SELECT address, class FROM consent_entries WHERE tenant_id = $1 ORDER BY address, class",
      [tenant.tenantId],
    );
    expect(consents.rows.map(({ address }) => address)).toEqual([
      "+4915112345601",
      "+4915112345601",
      "+4915112345603",
      "+4915112345603",
    ]);
    const after = await all();
    expect((await command(key, args)).stdout).toContain("Consent: 0 opt-outs recorded, 4 recorded before");
    expect(await all()).toEqual(after);
    // Every page was asked for at the address that is configured.
    expect(services.twilio.calls.filter(({ query }) => query.get("Page") === "1").length).toBeGreaterThan(3);
  }, 60_000);

  it("imports no opt-out that a later START to the same sender has ended, and each at the time of the last STOP", async () => {
    const { tenant, key } = await world();
    const number = "+4930111111";
    const messages: object[] = [];
    /** Earlier and earlier, as Twilio lists them. */
    const message = (fields: object) =>
      messages.push({
        from: number,
        direction: "outbound-api",
        status: "delivered",
        error_code: null,
        date_created: `Sun, 16 Aug 2026 03:${String(59 - messages.length)}:00 +0000`,
        ...fields,
      });
    const refused = (to: string, fields: object = {}) =>
      message({ to, status: "failed", error_code: 21610, ...fields });
    const heard = (from: string, body: string) =>
      message({ from, to: number, direction: "inbound", status: "received", body });
    const [back, other, replied, again, reached, service, word] = Array.from(
      { length: 7 },
      (_, n) => `+49151123457${String(n)}0`,
    ) as [string, string, string, string, string, string, string];
    heard(back, " start\n");
    refused(back);
    // To another number.
    message({ from: other, to: "+4930222222", direction: "inbound", status: "received", body: "START" });
    refused(other);
    // What Twilio itself answers gets through.
    message({ to: replied, direction: "outbound-reply" });
    refused(replied);
    heard(again, "Stop");
    heard(again, "START");
    refused(again);
    message({ to: reached });
    refused(reached);
    message({ to: service, messaging_service_sid: "MG1", from: "+4930333333" });
    refused(service, { messaging_service_sid: "MG1", from: null });
    heard(word, "STOP");
    const lists = await startFakeProvider(() => ({ status: 200, body: { messages, next_page_uri: null } }));
    const result = await command(key, ["twilio", "--only", "consent", "--classes", "marketing"], {
      TWILIO_API_URL: lists.baseUrl,
    });
    await lists.close();
    expect(result).toMatchObject({ code: 0, stderr: "" });
    const { rows } = await database.owner.query<{ address: string; at: Date }>(
      "SELECT address, at FROM consent_entries WHERE tenant_id = $1 ORDER BY address",
      [tenant.tenantId],
    );
    expect(rows.map(({ address }) => address)).toEqual([other, replied, again, word]);
    expect(rows[2]?.at.toISOString()).toBe("2026-08-16T03:53:00.000Z");
  }, 30_000);

  it("needs no credentials for a file alone", async () => {
    const { key, all } = await world();
    const csv = path.join(folder, "only.csv");
    writeFileSync(csv, "+4915112345699\n");
    const result = await command(key, ["twilio", "--opt-outs", csv], {
      TWILIO_ACCOUNT_SID: "",
      TWILIO_AUTH_TOKEN: "",
    });
    expect(result.stdout).toContain("Consent: 2 opt-outs recorded");
    expect(await all()).toMatchObject({ consents: 2 });
  }, 30_000);
});

describe("texts of other services", () => {
  it("become Liquid with plain names", () => {
    expect(fromNovu("{{#if payload.vip}}Dear{{else}}Hi{{/if}} {{ name }}").text).toBe(
      "{% if vip %}Dear{% else %}Hi{% endif %} {{ name }}",
    );
    expect(fromNovu('{{ payload.total | append: " EUR" }} {{payload.first-name}}').text).toBe(
      '{{ total | append: " EUR" }} {{ first_name }}',
    );
    expect([...fromNovu("{{payload.a.b}}{{subscriber.email}}").variables.keys()]).toEqual([
      "a_b",
      "subscriber_email",
    ]);
    expect(fromTwilio("Hi {{1}} and {{name}}").text).toBe("Hi {{ value1 }} and {{ name }}");
  });

  it("with something that has no counterpart say so", () => {
    for (const text of [
      "{{#each items}}x{{/each}}",
      "{{steps.digest.events}}",
      "{{> partial}}",
      "{{dateFormat at 'x'}}",
      "{% assign a = 1 %}",
    ])
      expect(fromNovu(text).problems, text).not.toEqual([]);
    expect(fromTwilio("{{1 2}}").problems).not.toEqual([]);
  });

  it("of any size take time in proportion", () => {
    const from = performance.now();
    for (const text of [
      "{{".repeat(100_000),
      "{{ a ".repeat(100_000),
      `{{${"a.".repeat(200_000)}}}`,
      "{%-".repeat(100_000),
      `{{ ${" ".repeat(400_000)} }}`,
    ]) {
      fromNovu(text);
      fromTwilio(text);
    }
    expect(performance.now() - from).toBeLessThan(3_000);
  });
});
