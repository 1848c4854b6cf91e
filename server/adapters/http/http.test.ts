import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createOutboundClient } from "../../kernel/outbound-http.ts";
import { startFaultyServer } from "../../testing/faulty-server.ts";
import type { FaultyAnswer, FaultyServer } from "../../testing/faulty-server.ts";
import { list, misfits, object, text } from "../../testing/provider-contracts/contract.ts";
import type { Contract } from "../../testing/provider-contracts/contract.ts";
import { TEST_AUTHORITY } from "../../testing/tls-fixture.ts";
import type { Connection, OutboundMessage } from "../adapter.ts";
import { receiptAddress } from "./http-callback.ts";
import { RequestProblem, buildRequest, checkRequest, exampleValues } from "./http-request.ts";
import { httpAdapter } from "./http.ts";
import { httpCredentialsSchema, httpSettingsSchema } from "./schemas.ts";
import type { HttpCredentials, HttpSettings } from "./schemas.ts";

const secret = 's3cret "key"';
const http = createOutboundClient({
  allow: ["127.0.0.0/8"],
  userAgent: "test/1.0",
  resolver: () => Promise.resolve(["127.0.0.1"]),
  ca: TEST_AUTHORITY,
});
let server: FaultyServer;
let answer: FaultyAnswer = { status: 200 };
beforeAll(async () => {
  server = await startFaultyServer({ answer: () => answer });
});
afterAll(async () => {
  await http.close();
  await server.close();
});

const message: OutboundMessage = {
  tenantId: "0198c7a0-0000-7000-8000-00000000000a",
  notificationId: "0198c7a0-0000-7000-8000-000000000001",
  attempt: 1,
  channel: "sms",
  to: "+4915112345678",
  senderId: "Shop",
  text: "Your code is 1234",
  idempotencyKey: "0198c7a0-0000-7000-8000-000000000001",
  callbackUrl: "https://tidings.example/api/callbacks/c1",
};

function connect(
  settings: Partial<HttpSettings>,
  credentials: Partial<HttpCredentials> = {},
): Connection<HttpCredentials, HttpSettings> {
  return {
    id: "c1",
    credentials: httpCredentialsSchema.parse({ secrets: `key = ${secret}`, ...credentials }),
    settings: httpSettingsSchema.parse({
      url: `${server.baseUrl}/send`,
      body: '{"text":"{{ text }}"}',
      ...settings,
    }),
  };
}
const ok = (body: unknown, status = 200): FaultyAnswer => ({ status, body: JSON.stringify(body) });
const send = (connection: Connection<HttpCredentials, HttpSettings>, more: Partial<OutboundMessage> = {}) =>
  httpAdapter.send(connection, { ...message, ...more }, { http, timeoutMs: 5_000 });
/** Of settings that are to be saved; `refusedSettings` has a test of its own for secrets. */
function problemsOf(settings: Record<string, unknown>): string[] {
  const parsed = httpSettingsSchema.safeParse({
    url: "https://sms.example/send",
    body: '{"text":"{{ text }}"}',
    ...settings,
  });
  return parsed.success
    ? checkRequest(parsed.data).map(({ path: at, message: text }) => `${at}: ${text}`)
    : parsed.error.issues.map(({ path: at, message: text }) => `${at.join(".")}: ${text}`);
}

describe("a request", () => {
  it("has no secret in a body that does not name them, also not by what a message says", () => {
    for (const body of [
      "{{ [text].key }}",
      "{{ [text] }}",
      "{% if [text].key %}{{ [text].key }}{% endif %}",
    ]) {
      let written = "";
      try {
        const settings = httpSettingsSchema.parse({ url: "https://sms.example/", contentType: "text/plain" });
        const values = { ...exampleValues, text: "secrets", secrets: { key: secret } };
        written = buildRequest({ ...settings, body }, values).body ?? "";
      } catch (error) {
        expect(error).toBeInstanceOf(RequestProblem);
      }
      expect(written, body).not.toContain(secret);
    }
  });

  it("is what the templates say, with secrets and the message's values", async () => {
    answer = ok({ messages: [{ id: 4711 }] });
    const connection = connect({
      method: "PUT",
      url: `${server.baseUrl}/v1/{{ channel }}/{{ to }}?sender={{ from }}`,
      headers:
        "Authorization: Basic {{ 'user:' | append: secrets.key | base64_encode }}\nX-Key: {{ idempotencyKey }}",
      body: '{ "text": {{ text | json }}, "to": "{{ to | remove: "+" }}", "subject": {{ subject | json }} }',
      idPath: "$.messages[0].id",
    });
    expect(await send(connection)).toEqual({ kind: "sent", providerMessageId: "4711", final: true });
    const request = server.requests.at(-1);
    expect(request).toMatchObject({
      method: "PUT",
      path: "/v1/sms/%2B4915112345678?sender=Shop",
      headers: {
        authorization: `Basic ${Buffer.from(`user:${secret}`).toString("base64")}`,
        "x-key": message.idempotencyKey,
        "content-type": "application/json; charset=utf-8",
      },
    });
    expect(JSON.parse(request?.body ?? "")).toEqual({
      text: message.text,
      to: "4915112345678",
      subject: null,
    });
  });

  const hostile = fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.constantFrom(
      '","admin":true,"x":"',
      "1,2]}",
      "a&to=+490000000&b=",
      "</text><to>x</to><text>",
      "\r\nX-Admin: 1\r\n\r\n{}",
      "../../admin?x=#",
      "{{ secrets.key }}",
      "{% if secrets %}",
      "\u2028\u2029\u0000\ud800",
    ),
  );

  it("in JSON keeps its shape and holds the value, whatever the value is", async () => {
    answer = { status: 200 };
    const connection = connect({ body: '{"a":"{{ text }}","b":{{ text | json }},"to":"{{ to }}"}' });
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        await send(connection, { text });
        const value = text.toWellFormed();
        const parsed = JSON.parse(server.requests.at(-1)?.body ?? "") as { b: string };
        expect({ ...parsed, b: parsed.b.toWellFormed() }).toEqual({ a: value, b: value, to: message.to });
      }),
      { numRuns: 60 },
    );
  });

  it("in a form keeps its fields, and in an address its path and query", async () => {
    answer = { status: 200 };
    const connection = connect({
      url: `${server.baseUrl}/send/x{{ text }}/end?q={{ text }}`,
      contentType: "application/x-www-form-urlencoded",
      body: "to={{ to }}&text={{ text }}",
    });
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        await send(connection, { text });
        const value = text.toWellFormed();
        const request = server.requests.at(-1);
        expect([...new URLSearchParams(request?.body)]).toEqual([
          ["to", message.to],
          ["text", value],
        ]);
        const url = new URL(request?.path ?? "", "https://x.example");
        expect(url.pathname.split("/").map(decodeURIComponent)).toEqual(["", "send", `x${value}`, "end"]);
        expect([...url.searchParams]).toEqual([["q", value]]);
      }),
      { numRuns: 60 },
    );
  });

  it("in XML keeps its elements", async () => {
    answer = { status: 200 };
    const connection = connect({
      contentType: "application/xml",
      body: '<sms to="{{ to }}"><text>{{ text }}</text></sms>',
    });
    await send(connection, { text: `</text><to>"x"</to> & 'y'` });
    expect(server.requests.at(-1)?.body).toBe(
      `<sms to="${message.to}"><text>&lt;/text&gt;&lt;to&gt;&quot;x&quot;&lt;/to&gt; &amp; &apos;y&apos;</text></sms>`,
    );
  });

  it("has one line for each header, and is not sent with one that is no ASCII", async () => {
    answer = { status: 200 };
    const connection = connect({ headers: "X-Sender: {{ from }}" });
    await send(connection, { senderId: "Shop\r\nX-Admin: 1" });
    expect(server.requests.at(-1)?.headers).toMatchObject({ "x-sender": "Shop X-Admin: 1" });
    expect(server.requests.at(-1)?.headers).not.toHaveProperty("x-admin");
    const before = server.requests.length;
    expect(await send(connection, { senderId: "Käse" })).toMatchObject({
      kind: "not_sent",
      retry: "failover",
      code: "invalid_message",
    });
    expect(server.requests.length).toBe(before);
  });

  it("never goes a step up in the path", async () => {
    const connection = connect({ url: `${server.baseUrl}/accounts/{{ text }}/messages` });
    for (const text of [".", ".."]) {
      expect(await send(connection, { text })).toMatchObject({ code: "invalid_message" });
    }
  });

  it("is not made when a secret that it names is missing", async () => {
    const connection = connect({ headers: "X-Key: {{ secrets.other }}" });
    expect(await send(connection)).toMatchObject({
      kind: "not_sent",
      retry: "failover",
      code: "invalid_message",
    });
    expect(await httpAdapter.test(connection, { http })).toMatchObject({
      ok: false,
      problem: expect.stringContaining("secrets") as string,
    });
  });
});

describe("a request that is made to take time", () => {
  const chain = (filter: string, times: number) => `{{ html${` | ${filter}`.repeat(times)} }}`;
  const many = (text: string) => Array.from({ length: 400 }, () => text).join("");
  const html = "<p>ab</p>".repeat(50_000);
  // Looked for in a text of its own beginning: the longest search.
  const text = `${"a".repeat(10_000)}b`;
  const hostileBodies: Record<string, { headers?: string; body: string; html?: string }> = {
    "filters that search, one behind the other": { body: chain("replace: subject, to", 20) },
    "filters that search for a long text": {
      body: chain("replace: text, to", 20),
      html: "a".repeat(400_000),
    },
    "filters that put a text between all characters": { body: chain('replace: "", html', 2) },
    "filters that make a list of all characters": { body: chain('split: "" | first', 1).repeat(50) },
    "filters that write it all anew": { body: chain("upcase | downcase", 300) },
    "lists written as a text": { body: chain('split: "" | replace: "a", "b"', 20) },
    "conditions that search": {
      body: many("{% if html contains text %}x{% endif %}"),
      html: text.repeat(40),
    },
    "conditions that compare": {
      body: `{% if ${Array.from({ length: 1_500 }, () => "html == replyTo").join(" and ")} %}x{% endif %}`,
    },
    "as much in each header as in the body": {
      headers: Array.from({ length: 60 }, (_, at) => `X-${String(at)}: ${chain("upcase | size", 1)}`).join(
        "\n",
      ),
      body: chain("replace: subject, to", 20),
    },
    "much that is written": { body: many("{{ html }}") },
  };

  it.each(Object.entries(hostileBodies))(
    "is not sent, and stops before anybody notices: %s",
    async (_, { headers = "", body, html: own = html }) => {
      const connection = connect({ contentType: "text/plain", headers, body });
      const more = { subject: "ab", text, html: own, replyTo: `${own.slice(0, -1)}x` };
      const before = server.requests.length;
      const values = { ...exampleValues, ...more };
      // What is compiled is no template's doing.
      expect(() => buildRequest(connection.settings, values)).toThrow(RequestProblem);
      const cpu = process.threadCpuUsage();
      expect(() => buildRequest(connection.settings, values)).toThrow(/takes too long, or writes too much/);
      const { user, system } = process.threadCpuUsage(cpu);
      expect((user + system) / 1_000).toBeLessThan(60);
      expect(await send(connection, more)).toMatchObject({
        kind: "not_sent",
        retry: "failover",
        code: "invalid_message",
        detail: expect.stringContaining("takes too long") as string,
      });
      expect(server.requests).toHaveLength(before);
    },
  );

  it("is none with a long mail and a few filters", () => {
    const body = '{"html":{{ html | json }},"text":"{{ text | strip | replace: "a", "b" | truncate: 900 }}"}';
    const { settings } = connect({ body });
    expect(buildRequest(settings, { ...exampleValues, html, text }).body).toContain("</p>");
  });

  it("is refused when it is saved, not when it is loaded; and so is one with very many headers", () => {
    const plain = { ...connect({}).settings, contentType: "text/plain" as const };
    const headers = Array.from({ length: 33 }, (_, at) => `X-${String(at)}: 1`).join("\n");
    expect(httpSettingsSchema.safeParse({ ...plain, body: "{{ password }}" }).success).toBe(true);
    expect(httpAdapter.refusedSettings?.({ ...plain, body: "{{ password }}" })).toMatchObject([
      { path: "body" },
    ]);
    expect(httpAdapter.refusedSettings?.({ ...plain, body: "x", headers })).toMatchObject([
      { path: "headers" },
    ]);
  });
});

describe("settings", () => {
  it.each([
    ["a host out of a variable", { url: "https://{{ to }}/send" }, /^url: /],
    ["a host that a variable goes on", { url: "https://sms.example{{ to }}/send" }, /^url: /],
    ["a password in the address", { url: "https://a:b@sms.example/" }, /^url: /],
    ["another protocol", { url: "ftp://sms.example/" }, /^url: /],
    ["Liquid that does not parse", { body: '{"a":"{{ text "}' }, /^body: Liquid/],
    ["a variable that does not exist", { body: '{"a":"{{ password }}"}' }, /^body: There is no variable/],
    ["JSON that is none", { body: "{{ text }}" }, /^body: /],
    ["a value outside of quotes", { body: '{"a":[{{ text }}]}' }, /^body: .*quotes/],
    ["a number's place for a text", { body: '{"a":{{ to }}}' }, /^body: .*quotes/],
    ["a filter that writes past the encoding", { body: '{"a":"{{ text | raw }}"}' }, /^body: /],
    ["a loop", { body: "{% for i in (1..9) %}{{ i }}{% endfor %}" }, /^body: /],
    ["a header of the protocol's own", { headers: "Content-Length: 3" }, /^headers: /],
    ["a header without a name", { headers: "no header" }, /^headers: /],
    ["a path that is none", { idPath: "$..id" }, /^idPath: /],
    ["statuses that are none", { successStatuses: "all" }, /^successStatuses: /],
    ["a price without a currency", { pricePath: "$.price" }, /^priceCurrency: /],
    ["words of receipts without a path", { receiptStatuses: "OK = delivered" }, /^receiptStatuses: /],
    [
      "a meaning that is none",
      { receiptStatusPath: "$.s", receiptStatuses: "OK = gone" },
      /^receiptStatuses: /,
    ],
  ])("with %s are refused, with the place", (_, settings, problem) => {
    expect(problemsOf(settings)).toEqual(expect.arrayContaining([expect.stringMatching(problem)]));
  });

  const callback = { body: '{"a":"{{ callbackUrl }}"}' };
  const receipts = { receiptStatusPath: "$.s", receiptStatuses: "OK = delivered" };
  it.each([
    ["a value of success without its place", { successValue: "OK" }, "successPath"],
    ["a pattern that is none", { idPattern: "(" }, "idPattern"],
    ["a pattern that could take long", { errorPattern: "(.{1,100}){4}" }, "errorPattern"],
    ["repeats that are recognised by nothing", { recognisesRepeats: true }, "recognisesRepeats"],
    ["a signature of receipts that are not read", { receiptSignatureHeader: "X-S" }, "receiptStatusPath"],
    ["receipts that name no message", receipts, "receiptIdPath"],
    ["receipts whose ids no answer has", { ...receipts, receiptIdPath: "$.id" }, "idPath"],
  ])(
    "with %s are refused when they are saved, and work as before when they are stored",
    (_, settings, field) => {
      const parsed = httpSettingsSchema.parse({ url: "https://sms.example/send", body: "{}", ...settings });
      expect(httpAdapter.refusedSettings?.(parsed).map(({ path: at }) => at)).toEqual([field]);
    },
  );
  it.each([
    ["repeats by the key", { recognisesRepeats: true, headers: "Idempotency-Key: {{ idempotencyKey }}" }],
    ["receipts to the message's own address", { ...receipts, ...callback }],
    ["receipts by the id out of a header", { ...receipts, receiptIdPath: "$.id", idHeader: "X-Id" }],
  ])("with %s are taken", (_, settings) => {
    const parsed = httpSettingsSchema.parse({ url: "https://sms.example/send", body: "{}", ...settings });
    expect(httpAdapter.refusedSettings?.(parsed)).toEqual([]);
  });

  it("say of secrets what is true: that they may stand in headers, and nowhere else", () => {
    const said = [
      httpCredentialsSchema.shape.secrets.meta()?.description,
      httpSettingsSchema.shape.headers.meta()?.description,
    ];
    for (const text of said) expect(text).toMatch(/in headers only|only here/);
    expect(said[0]).toMatch(/in headers only/);
    expect(said[0]).not.toMatch(/URL|body/i);
  });

  it("that work are taken", () => {
    expect(problemsOf({})).toEqual([]);
    expect(
      problemsOf({
        url: "https://sms.example/{{ to }}?key={{ secrets.key }}",
        body: '{% if html %}{"html":{{ html | json }}}{% else %}{"vars":{{ templateVariables | json }},"one":"{{ templateVariables["1"] }}"}{% endif %}',
      }),
    ).toEqual([]);
  });
});

describe("an answer", () => {
  const settings = {
    idPath: "$.id",
    successPath: "$.status",
    successValue: "OK",
    errorPath: "$.error.message",
    retryStatuses: "429, 503",
    pricePath: "$.price",
    priceCurrency: "EUR",
  } as const;
  it.each([
    [
      "with success, id and price",
      ok({ id: "m-1", status: "OK", price: 0.065 }),
      { kind: "sent", providerMessageId: "m-1", price: { amount: "0.065", currency: "EUR" } },
    ],
    [
      "with success and no price",
      ok({ id: "m-1", status: "OK" }),
      { kind: "sent", providerMessageId: "m-1" },
    ],
    [
      "200 that says no",
      ok({ id: "m-1", status: "ERROR", error: { message: `no ${secret} for +4915112345678` } }),
      {
        kind: "not_sent",
        retry: "failover",
        code: "provider_rejected",
        providerMessage: "no [secret] for [number]",
      },
    ],
    ["200 without an id", ok({ status: "OK" }), { kind: "unknown", code: "provider_answer_unreadable" }],
    [
      "503 that may be tried again",
      ok({}, 503),
      { kind: "not_sent", retry: "later", code: "provider_unavailable" },
    ],
    ["500", ok({}, 500), { kind: "unknown", code: "provider_error" }],
    [
      "400",
      ok({ error: { message: "bad number" } }, 400),
      { kind: "not_sent", providerMessage: "bad number" },
    ],
    ["a redirect, which is not followed", { status: 302, headers: { location: "/x" } }, { kind: "not_sent" }],
  ])("%s is understood", async (_, given, outcome) => {
    answer = given;
    const told = await send(connect(settings));
    expect(told).toMatchObject(outcome);
    expect(JSON.stringify(told)).not.toContain(secret);
  });

  it("decides alone whether a repetition is recognised", () => {
    expect(httpAdapter.recognisesRepeats?.(connect({ recognisesRepeats: true }).settings)).toBe(true);
    expect(httpAdapter.recognisesRepeats?.(connect({}).settings)).toBe(false);
  });
});

describe("a test of the connection", () => {
  it("sends nothing and shows the request with names instead of secrets", async () => {
    answer = { status: 404 };
    const connection = connect({
      url: `${server.baseUrl}/send?key={{ secrets.key }}`,
      headers: "X-Key: {{ secrets.key }}",
      body: '{"key":{{ secrets.key | json }},"text":"{{ text }}"}',
    });
    const result = await httpAdapter.test(connection, { http });
    expect(result).toMatchObject({
      ok: true,
      facts: [
        { label: "Request", value: `POST ${server.baseUrl}/send?key=[key]` },
        { label: "X-Key", value: "[key]" },
        { label: "content-type", value: "application/json; charset=utf-8" },
        { label: "Body", value: '{"key":"[key]","text":"Your order 4711 is on its way."}' },
      ],
    });
    expect(JSON.stringify(result)).not.toContain("s3cret");
    expect(server.requests.at(-1)).toMatchObject({ method: "HEAD", path: "/", body: "" });
    expect(JSON.stringify(server.requests.at(-1))).not.toContain("s3cret");
  });

  it("warns of an answer that would count as sent, whatever it says", async () => {
    answer = { status: 404 };
    expect(await httpAdapter.test(connect({}), { http })).toMatchObject({
      ok: true,
      warnings: [
        expect.stringContaining("counts as sent"),
        expect.stringContaining("No message ID"),
      ] as string[],
    });
    expect(await httpAdapter.test(connect({ idPath: "$.id" }), { http })).toMatchObject({
      ok: true,
      warnings: [],
    });
  });

  it("asks the provider even if no request can be made, so that its own configuration never looks like an outage", async () => {
    answer = { status: 404 };
    const settings = { headers: "X-Key: {{ secrets.other }}" };
    expect(await httpAdapter.test(connect(settings), { http })).toMatchObject({ ok: false, reachable: true });
    const gone = await httpAdapter.test(connect({ ...settings, url: "https://127.0.0.1:1/" }), { http });
    expect(gone).toMatchObject({ ok: false });
    expect(gone).not.toHaveProperty("reachable");
  });

  it("says what is wrong with the host", async () => {
    const result = await httpAdapter.test(connect({ url: "https://127.0.0.1:1/" }), { http });
    expect(result.ok).toBe(false);
  });
});

describe("receipts", () => {
  const callbackSecret = "0123456789abcdef";
  const settings = {
    receiptIdPath: "$.message.id",
    receiptStatusPath: "$.message.state",
    receiptStatuses: "DELIVRD = delivered\nUNDELIV = failed\nACCEPTD = sent",
  };
  const post = (url: string, body: unknown, headers: Record<string, string> = {}) => ({
    method: "POST",
    url,
    headers,
    rawBody: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
  });
  const parse = (connection: Connection<HttpCredentials, HttpSettings>, request: ReturnType<typeof post>) =>
    httpAdapter.parseCallback?.(connection, request, { http });

  it("come to the address that the request named, and to no other message's", async () => {
    answer = ok({ message: { id: "m-1" } });
    const connection = connect(
      { ...settings, body: '{"callback":"{{ callbackUrl }}"}', idPath: "$.message.id" },
      { callbackSecret },
    );
    expect(await send(connection)).toMatchObject({ kind: "sent", final: false });
    const { callback } = JSON.parse(server.requests.at(-1)?.body ?? "") as { callback: string };
    const body = { message: { id: "m-1", state: "DELIVRD" } };
    expect(parse(connection, post(callback, body))).toEqual({
      authentic: true,
      inbound: [],
      receipts: [
        {
          notificationId: message.notificationId,
          attempt: 1,
          providerMessageId: "m-1",
          status: "delivered",
        },
      ],
    });
    const another = callback.replace(message.notificationId, message.tenantId);
    expect(parse(connection, post(another, body))).toEqual({ authentic: false });
    expect(parse(connection, post(callback.replace(/signature=\w{8}/, "signature=00000000"), body))).toEqual({
      authentic: false,
    });
  });

  it("come to one address for all messages with the token, as JSON or as a form", () => {
    const flat = {
      receiptIdPath: "$.id",
      receiptStatusPath: "$.state",
      receiptStatuses: settings.receiptStatuses,
    };
    const connection = connect(flat, { callbackSecret });
    const url = `${message.callbackUrl}?token=${callbackSecret}`;
    expect(parse(connection, post(url, "id=m-1&state=UNDELIV"))).toMatchObject({
      receipts: [
        { providerMessageId: "m-1", status: "failed", code: "undelivered", providerCode: "UNDELIV" },
      ],
    });
    expect(parse(connection, post(`${url}&id=m-1&state=ACCEPTD`, ""))).toMatchObject({
      receipts: [{ providerMessageId: "m-1", status: "sent" }],
    });
    expect(parse(connection, post(url, { id: "m-1", state: "READ" }))).toMatchObject({ receipts: [] });
    expect(parse(connection, post(message.callbackUrl, { id: "m-1", state: "DELIVRD" }))).toEqual({
      authentic: false,
    });
  });

  it("come as XML where the paths are XML's, in the charset that they say", () => {
    const connection = connect(
      {
        receiptIdPath: "/dlr/@id",
        receiptStatusPath: "/dlr/state",
        receiptStatuses: "zugestellt für = delivered\nUNDELIV = failed",
      },
      { callbackSecret },
    );
    const url = `${message.callbackUrl}?token=${callbackSecret}`;
    const xml =
      '<?xml version="1.0" encoding="ISO-8859-1"?><dlr id="9007199254740993"><state>zugestellt für</state></dlr>';
    const request = { ...post(url, ""), rawBody: Buffer.from(xml, "latin1") };
    expect(parse(connection, request)).toMatchObject({
      receipts: [{ providerMessageId: "9007199254740993", status: "delivered" }],
    });
    expect(
      parse(
        connection,
        post(url, '<!DOCTYPE d [<!ENTITY e "UNDELIV">]><dlr id="1"><state>&e;</state></dlr>'),
      ),
    ).toMatchObject({
      authentic: true,
      receipts: [],
    });
    expect(parse(connection, post(url, "id=1&state=UNDELIV"))).toMatchObject({
      authentic: true,
      receipts: [],
    });
  });

  it("have ids digit for digit, as the answers to the messages have them", () => {
    const connection = connect(settings, { callbackSecret });
    const url = `${message.callbackUrl}?token=${callbackSecret}`;
    for (const id of ["9007199254740993", "9007199254740992"]) {
      expect(parse(connection, post(url, `\ufeff{"message":{"id":${id},"state":"DELIVRD"}}`))).toMatchObject({
        receipts: [{ providerMessageId: id, status: "delivered" }],
      });
    }
  });

  it("are signed where the settings name a header; a token does not help then", () => {
    const connection = connect({ ...settings, receiptSignatureHeader: "X-Signature" }, { callbackSecret });
    const body = { message: { id: "m-1", state: "DELIVRD" } };
    const hmac = (secretKey: string) => createHmac("sha256", secretKey).update(JSON.stringify(body));
    const url = message.callbackUrl;
    for (const signature of [
      hmac(callbackSecret).digest("hex"),
      `sha256=${hmac(callbackSecret).digest("hex")}`,
      hmac(callbackSecret).digest("base64"),
    ]) {
      expect(parse(connection, post(url, body, { "x-signature": signature }))).toMatchObject({
        receipts: [{ status: "delivered" }],
      });
    }
    for (const signature of ["", hmac("another").digest("hex"), "é"]) {
      expect(parse(connection, post(url, body, { "x-signature": signature }))).toEqual({ authentic: false });
    }
    expect(parse(connection, post(`${url}?token=${callbackSecret}`, body))).toEqual({ authentic: false });
  });

  it("that are signed say only what is signed: neither another message nor a status may stand in the address", () => {
    const flat = {
      receiptStatusPath: "$.state",
      receiptStatuses: settings.receiptStatuses,
      receiptSignatureHeader: "X-Signature",
    };
    const connection = connect(flat, { callbackSecret });
    const sign = (body: string) => ({
      "x-signature": createHmac("sha256", callbackSecret).update(body).digest("hex"),
    });
    const body = JSON.stringify({ state: "DELIVRD" });
    const ours = receiptAddress(connection, message);
    expect(parse(connection, post(ours, body, sign(body)))).toMatchObject({
      receipts: [{ notificationId: message.notificationId, attempt: 1, status: "delivered" }],
    });
    const another = ours.replace(message.notificationId, message.tenantId);
    expect(parse(connection, post(another, body, sign(body)))).toMatchObject({ receipts: [] });
    expect(parse(connection, post(`${ours}&state=DELIVRD`, "", sign("")))).toMatchObject({ receipts: [] });
  });

  it("are not waited for where no secret lets anybody report one", async () => {
    answer = ok({ message: { id: "m-1" } });
    expect(await send(connect(settings))).toMatchObject({ kind: "sent", final: true });
    expect(await send(connect(settings, { callbackSecret }))).toMatchObject({ kind: "sent", final: false });
  });

  it("without a secret, or without a mapping, are nobody's; and no bytes make the parser throw", () => {
    expect(parse(connect(settings), post(`${message.callbackUrl}?token=`, {}))).toEqual({ authentic: false });
    expect(
      parse(connect({}, { callbackSecret }), post(`${message.callbackUrl}?token=${callbackSecret}`, {})),
    ).toEqual({ authentic: false });
    const connection = connect(settings, { callbackSecret });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const request = {
          ...post(`${message.callbackUrl}?token=${callbackSecret}`, ""),
          rawBody: Buffer.from(bytes),
        };
        expect(parse(connection, request)).toMatchObject({ authentic: true });
      }),
    );
  });
});

describe("a provider with an interface of its own", () => {
  const house: Contract = {
    operations: [
      {
        method: "POST",
        path: "/accounts/{account}/sms",
        headers: {
          "x-api-key": /./,
          "x-request-id": /^[0-9a-f-]{36}$/,
          "content-type": /^application\/json/,
        },
        body: object({
          recipients: list(text.regex(/^\+[0-9]{8,15}$/)).min(1),
          message: object({ body: text }),
          sender: text.max(11).optional(),
        }),
      },
    ],
  };
  const settings = () => ({
    url: `${server.baseUrl}/accounts/4711/sms`,
    headers: "X-Api-Key: {{ secrets.key }}\nX-Request-Id: {{ idempotencyKey }}",
    body: '{ "recipients": ["{{ to }}"], "message": { "body": {{ text | json }} }, "sender": {{ from | json }} }',
    idPath: "$.result.uuid",
    successPath: "$.result.state",
    successValue: "QUEUED",
  });
  const sent = async (more: Partial<HttpSettings> = {}) => {
    answer = ok({ result: { uuid: "8d7f", state: "QUEUED" } }, 202);
    const outcome = await send(connect({ ...settings(), ...more }));
    return { outcome, wrong: misfits(house, server.requests.at(-1)!) };
  };

  it("takes the requests that the settings make", async () => {
    const outcome = { kind: "sent", providerMessageId: "8d7f", final: true };
    expect(await sent()).toEqual({ outcome, wrong: [] });
  });

  it("refuses others (the probe that shows it checks at all)", async () => {
    expect((await sent({ headers: "" })).wrong).toHaveLength(2);
    expect((await sent({ body: '{ "recipients": "{{ to }}" }' })).wrong).toHaveLength(2);
  });
});

describe("the examples of docs/providers/http.md", () => {
  const page = readFileSync(path.resolve(import.meta.dirname, "../../../docs/providers/http.md"), "utf8");
  const rows =
    /^\| `(\d+)` `([^`]+)` \| (sent|not sent|unknown)(?:, (?:id|code) `([^`]+)`)?(?:: (.+?))? \|$/gm;
  const examples = page
    .slice(page.indexOf("## Examples"))
    .split(/^```\n/m)
    .slice(1)
    .flatMap((block, index, blocks) => (index % 2 === 0 ? [[block, blocks[index + 1] ?? ""] as const] : []))
    .map(([block, after]) => {
      const fields: Record<string, string> = {};
      let name = "";
      for (const row of block.trimEnd().split("\n")) {
        const [, key, value = ""] = /^(\w*)\s+(.*)$/.exec(row) ?? [];
        if (key) name = key;
        fields[name] = key ? value : `${fields[name] ?? ""}\n${value}`;
      }
      return { fields, answers: [...after.matchAll(rows)] };
    });

  it("are five, and settings that are taken, make a request, and judge answers as the page says", async () => {
    expect(examples).toHaveLength(5);
    for (const { fields, answers } of examples) {
      const { secrets = "", recognisesRepeats, ...settings } = fields;
      const url = URL.parse(settings.url ?? "");
      const connection = connect(
        {
          ...(settings as Partial<HttpSettings>),
          ...(recognisesRepeats === "true" ? { recognisesRepeats: true } : {}),
          url: server.baseUrl + (settings.url ?? "").slice(url?.origin.length),
        },
        { secrets: secrets.replaceAll("…", "s3cret"), callbackSecret: "0123456789abcdef" },
      );
      expect(problemsOf(connection.settings)).toEqual([]);
      expect(httpAdapter.refusedSettings?.(connection.settings)).toEqual([]);
      expect(httpAdapter.refusedCredentials?.(connection.credentials, connection.settings)).toEqual([]);
      expect(answers.length).toBeGreaterThanOrEqual(2);
      for (const [, status, body = "", verdict = "", told, words] of answers) {
        answer = { status: Number(status), body };
        const outcome = await send(connection, { subject: "Hello", html: "<p>Hello</p>" });
        expect({ body, kind: outcome.kind }).toEqual({ body, kind: verdict.replace(" ", "_") });
        if (outcome.kind === "sent") expect(outcome.providerMessageId).toBe(told);
        if (outcome.kind === "not_sent") {
          expect({ body, code: outcome.providerCode }).toEqual({ body, code: told });
          expect({ body, words: outcome.providerMessage }).toEqual({ body, words });
        }
      }
    }
  });
});
