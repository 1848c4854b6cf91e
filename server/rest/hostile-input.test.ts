import { afterAll, describe, expect, it } from "vitest";
import { newId } from "../kernel/ids.ts";
import type { RestContract } from "../operations/operation.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { restClient } from "../testing/rest-client.ts";
import type { Problem } from "../testing/rest-client.ts";
import { contracts } from "./contracts.ts";

const database = await testDatabase();
const tenant = await makeTenant(database);
await tenant.addSimulator();
const { key } = await tenant.makeKey("staging", { role: "owner", rateLimitPerMinute: 1_000_000 });
const rest = restClient(database.web);

const withBody = contracts.filter((contract) => contract.body);
const urlOf = (contract: RestContract) =>
  contract.path.replace(/\{(\w+)\}/g, (_, name: string) => (name === "number" ? "1" : newId()));

/** A valid request for each operation, so that what is broken is what the test broke. */
const sensible: Record<string, Record<string, unknown>> = {
  revertRoutingRules: {},
  sendNotifications: {
    transactionId: "t-1",
    application: "shop",
    region: "DE",
    language: "en",
    notificationType: "order",
    notificationSubtype: "order_status",
    recipients: [{ channel: "email", recipient: "ada@example.com", variables: { name: "Ada" } }],
    templateVariables: [{ order: "4711" }],
    metadata: { a: "b" },
  },
  createNotification: {
    channel: "email",
    to: "ada@example.com",
    template: "hostile",
    application: "shop",
    variables: { name: "Ada" },
  },
  explainNotification: {
    channel: "email",
    to: "ada@example.com",
    template: "hostile",
    application: "shop",
    variables: { name: "Ada" },
  },
  createWebhook: { url: "https://example.com/hook", application: "shop", events: [], description: "Test" },
  updateShortener: { kind: "none" },
  testShortener: { url: "https://example.com/page" },
  updatePipeline: { stages: [{ environment: "staging" }] },
  createPromotion: { application: "shop", to: "production", note: "Go" },
  createTemplate: {
    application: "shop",
    name: "hostile",
    notificationType: "order",
    notificationSubtype: "order_status",
    channel: "email",
    subject: "Hello {{ name }}",
    body: "Hello {{ name }}",
    variables: [{ name: "name", type: "string", required: true, example: "Ada" }],
  },
};
// The first of them exists, so that requests can go all the way.
expect(await rest.post("/v1/templates", { key, json: sensible.createTemplate })).toMatchObject({
  status: 201,
});
const bodyOf = (contract: RestContract) =>
  sensible[contract.operationId] ?? { name: "x", events: [], since: new Date().toISOString() };

/** A value with every text in it replaced by `mutate`. */
function mapTexts(value: unknown, mutate: (text: string) => unknown): unknown {
  if (typeof value === "string") return mutate(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, mutate));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapTexts(member, mutate)]));
}

/** One copy for each text in a value, with only that text replaced. */
function eachTextReplaced(value: unknown, replacement: unknown): unknown[] {
  let count = 0;
  mapTexts(value, (text) => {
    count++;
    return text;
  });
  return Array.from({ length: count }, (_, target) => {
    let at = 0;
    return mapTexts(value, (text) => (at++ === target ? replacement : text));
  });
}

async function send(
  contract: RestContract,
  raw: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) {
  const answer = await rest.callContract<Problem>(contract, urlOf(contract), { key, raw, headers });
  expect(answer.status, answer.text).toBeLessThan(500);
  if (answer.status >= 400) {
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(answer.body).toMatchObject({
      status: answer.status,
      requestId: answer.headers.get("x-request-id"),
    });
    expect(answer.text.length).toBeLessThan(32_000);
  }
  return answer;
}

const poisoned: [string, string | Uint8Array<ArrayBuffer>, number, string][] = [
  ["nothing", "", 400, "invalid_json"],
  ["truncated JSON", '{"a":{"b":"c', 400, "invalid_json"],
  ["__proto__", '{"__proto__":{"application":"shop"}}', 400, "invalid_json"],
  ["an escaped __proto__", '{"\\u005f\\u005fproto__":{}}', 400, "invalid_json"],
  ["a name twice", '{"application":"a","application":"b"}', 400, "invalid_json"],
  ["a name twice, deep inside", '{"recipients":[{"channel":"sms","channel":"email"}]}', 400, "invalid_json"],
  ["an escaped NUL", '{"application":"a\\u0000b"}', 400, "invalid_encoding"],
  ["a raw NUL", '{"application":"a\0b"}', 400, "invalid_encoding"],
  ["half a surrogate pair", '{"application":"\\ud800"}', 400, "invalid_encoding"],
  ["half a surrogate pair in a name", '{"\\udc00":1}', 400, "invalid_encoding"],
  [
    "bytes that are not UTF-8",
    new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    400,
    "invalid_encoding",
  ],
  [
    "arrays 100,000 deep",
    `{"variables":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
    400,
    "depth_exceeded",
  ],
  ["objects 100,000 deep", `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`, 400, "depth_exceeded"],
  ["10 MB", JSON.stringify({ application: "x".repeat(10_000_000) }), 413, "payload_too_large"],
];

describe("the bodies that are broken below", () => {
  it.each(["sendNotifications", "createNotification", "explainNotification", "createWebhook"])(
    "%s accepts its own",
    async (id) => {
      const contract = withBody.find(({ operationId }) => operationId === id)!;
      const answer = await send(contract, JSON.stringify({ ...bodyOf(contract) }));
      expect(answer.status, answer.text).toBeLessThan(300);
    },
  );
});

describe.each(withBody)("$operationId", (contract) => {
  // Where a body is optional, none is not an error.
  const broken = poisoned.filter(([, raw]) => raw !== "" || !contract.bodyOptional);
  it.each(broken)("refuses %s", async (_name, raw, status, code) => {
    expect(await send(contract, raw)).toMatchObject({ status, body: { code } });
  });

  it.each(["text/plain", "application/xml", "multipart/form-data; boundary=x"])(
    "refuses %s",
    async (type) => {
      expect(await send(contract, JSON.stringify(bodyOf(contract)), { "content-type": type })).toMatchObject({
        status: 415,
      });
    },
  );

  it.each(["null", "true", "0", '"text"', "[]", "[[]]", "[null]"])(
    "refuses %s, which is not an object",
    async (raw) => {
      expect(await send(contract, raw)).toMatchObject({ status: 422, body: { code: "invalid_request" } });
    },
  );

  it("takes any value in place of any text without failing", async () => {
    const values: unknown[] = [
      "\r\nBcc: all@example.com",
      "a\nb\tc\u0007\u2028",
      "{{ 'x' | append: 'y' }}{% for i in (1..100000000) %}{{ i }}{% endfor %}",
      "<script>alert(1)</script>",
      "'; DROP TABLE notifications; --",
      "\u{1F600}\u202e%s%n",
      "x".repeat(300_000),
      "",
      "constructor",
      "toString",
      null,
      1e308,
      -0.5,
      [],
      {},
      { constructor: { prototype: { x: "1" } } },
    ];
    for (const value of values) {
      for (const body of eachTextReplaced(bodyOf(contract), value))
        await send(contract, JSON.stringify(body));
    }
  });

  it("takes names from Object.prototype, and texts full of escapes, without failing", async () => {
    for (const name of [
      "constructor",
      "toString",
      "hasOwnProperty",
      "prototype",
      "__defineGetter__",
      "valueOf",
    ]) {
      const map = { [name]: "x" };
      await send(
        contract,
        JSON.stringify({
          ...bodyOf(contract),
          ...map,
          variables: map,
          metadata: map,
          templateVariables: [map],
        }),
      );
    }
    const escaped = JSON.stringify(bodyOf(contract)).replace(
      /[a-z]/g,
      (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`,
    );
    await send(contract, escaped);
  });
});

describe("operations with a path or query", () => {
  it.each(contracts.filter((contract) => contract.params))(
    "$operationId answers 404 to anything that is not an id",
    async (contract) => {
      for (const id of ["0", "null", "%27%20OR%201=1", "%00", "%ff", "a".repeat(5_000), "..%2f..%2fetc"]) {
        const url = contract.path.replace(/\{\w+\}/g, () => id);
        // What cannot be decoded never reaches a route.
        if (id === "%ff") continue;
        const json = contract.body ? bodyOf(contract) : undefined;
        expect(await rest.callContract(contract, url, { key, json })).toMatchObject({ status: 404 });
      }
    },
  );

  it.each(contracts.filter((contract) => contract.query))(
    "$operationId takes any query without failing",
    async (contract) => {
      const shape = "shape" in contract.query! ? Object.keys(contract.query.shape as object) : [];
      for (const name of [...shape, "__proto__", "constructor", "unknown"]) {
        for (const value of [
          "",
          "0",
          "-1",
          "1e9",
          "NaN",
          "%00",
          "%ed%a0%80",
          "a&" + name + "=b",
          "9999-99-99T00:00:00Z",
          "x".repeat(5_000),
          "%F0%9F%98%80",
        ]) {
          const answer = await rest.callContract(contract, `${urlOf(contract)}?${name}=${value}`, { key });
          expect(answer.status, `${name}=${value.slice(0, 40)} ${answer.text}`).toBeLessThan(500);
        }
      }
    },
  );
});

afterAll(() => {
  expect(Object.keys(Object.prototype)).toEqual([]);
});
