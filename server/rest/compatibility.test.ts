import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { restOnly } from "../operations/operation.ts";
import { breakingChanges, essentials, recordingRelease } from "../testing/api-compatibility.ts";
import type { ApiDocument, Schema } from "../testing/api-compatibility.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { restClient } from "../testing/rest-client.ts";
import { contracts } from "./contracts.ts";
import { openApiDocument, openApiText } from "./openapi.ts";

/*
 * A client of the last release must go on working. `RECORD_RELEASE=1 npx vitest run server/rest/compatibility.test.ts` keeps the
 * document of the version in package.json; do that when it is released, and never to make this test pass.
 */

const folder = path.join(import.meta.dirname, "releases");
const document = JSON.parse(openApiText(contracts)) as ApiDocument;

if (recordingRelease) {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  writeFileSync(path.join(folder, `openapi-${version}.json`), `${JSON.stringify(essentials(document))}\n`);
}

const releases = readdirSync(folder).sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
const lastRelease = JSON.parse(readFileSync(path.join(folder, releases.at(-1) ?? ""), "utf8")) as ApiDocument;

describe("the API", () => {
  it("breaks no client of the last release", () => {
    expect(Object.keys(lastRelease.paths).length).toBeGreaterThan(50);
    expect(breakingChanges(lastRelease, document)).toEqual([]);
  });

  it("would break them if a path, a field or a value went (the probe that shows it looks)", () => {
    const without = JSON.parse(JSON.stringify(document)) as ApiDocument;
    delete without.paths["/v1/webhooks"];
    delete without.components?.schemas?.Notification?.properties?.status;
    delete without["x-webhooks"]?.["notification.delivered"];
    const body = without.components?.schemas?.SendRequest;
    body?.required?.push("metadata");
    expect(breakingChanges(lastRelease, without)).toEqual(
      expect.arrayContaining([
        "GET /v1/webhooks: was removed",
        "POST /v1/webhooks: was removed",
        // Named where it is met first.
        "POST /v1/notifications 202.status: was removed",
        "POST /api/app/notifications/send body.metadata: is now required",
        "webhook notification.delivered: was removed",
      ]),
    );
  });
});

/** A document of one operation whose body and answer are these. */
function api(
  body: Schema,
  answer: Schema,
  more: Partial<ApiDocument["paths"][string][string]> = {},
): ApiDocument {
  const content = (schema: Schema) => ({ "application/json": { schema } });
  return {
    paths: {
      "/v1/things": {
        post: {
          operationId: "makeThing",
          requestBody: { required: true, content: content(body) },
          responses: { 201: { content: content(answer) } },
          ...more,
        },
      },
    },
    components: { schemas: {} },
  };
}
const object = (properties: Record<string, Schema>, required: string[] = []): Schema => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const text: Schema = { type: "string" };
const nothing = object({});

describe("what breaks a client", () => {
  const changes: [string, Schema, Schema, boolean, boolean][] = [
    // what changes, before, after, whether it breaks in a request, whether it breaks in an answer
    ["a member is added", object({ a: text }), object({ a: text, b: text }), false, false],
    ["a required member is added", object({ a: text }), object({ a: text, b: text }, ["b"]), true, false],
    ["a member is removed", object({ a: text, b: text }), object({ a: text }), true, true],
    ["a member becomes required", object({ a: text }), object({ a: text }, ["a"]), true, false],
    ["a member becomes optional", object({ a: text }, ["a"]), object({ a: text }), false, true],
    ["a type changes", object({ a: text }), object({ a: { type: "integer" } }), true, true],
    [
      "an integer becomes a number",
      object({ a: { type: "integer" } }),
      object({ a: { type: "number" } }),
      false,
      true,
    ],
    [
      "null becomes possible",
      object({ a: text }),
      object({ a: { type: "string", nullable: true } }),
      false,
      true,
    ],
    [
      "null becomes impossible",
      object({ a: { type: "string", nullable: true } }),
      object({ a: text }),
      true,
      false,
    ],
    [
      "a value of an enum is added",
      { type: "string", enum: ["a"] },
      { type: "string", enum: ["a", "b"] },
      false,
      false,
    ],
    [
      "a value of an enum is removed",
      { type: "string", enum: ["a", "b"] },
      { type: "string", enum: ["a"] },
      true,
      false,
    ],
    ["any text becomes an enum", text, { type: "string", enum: ["a"] }, true, false],
    ["a text gets shorter", { type: "string", maxLength: 9 }, { type: "string", maxLength: 8 }, true, false],
    [
      "a text may be longer",
      { type: "string", maxLength: 8 },
      { type: "string", maxLength: 9 },
      false,
      false,
    ],
    ["a text gets a pattern", text, { type: "string", pattern: "^a" }, true, false],
    [
      "a smallest number rises",
      { type: "integer", minimum: 0 },
      { type: "integer", minimum: 1 },
      true,
      false,
    ],
    ["a format is asked for", text, { type: "string", format: "uuid" }, true, false],
    ["a format is lost", { type: "string", format: "uuid" }, text, false, true],
    [
      "items change",
      { type: "array", items: text },
      { type: "array", items: { type: "boolean" } },
      true,
      true,
    ],
    [
      "a variant goes",
      { anyOf: [text, { type: "integer" }] },
      { anyOf: [text, { type: "boolean" }] },
      true,
      false,
    ],
    ["a variant is added", { anyOf: [text] }, { anyOf: [text, { type: "integer" }] }, false, false],
    [
      "nothing changes",
      object({ a: { type: "array", items: object({ b: text }) } }, ["a"]),
      object({ a: { type: "array", items: object({ b: text }) } }, ["a"]),
      false,
      false,
    ],
  ];
  it.each(changes)("when %s", (_, before, after, inRequest, inAnswer) => {
    expect(breakingChanges(api(before, nothing), api(after, nothing)).length > 0).toBe(inRequest);
    expect(breakingChanges(api(nothing, before), api(nothing, after)).length > 0).toBe(inAnswer);
  });

  it("is found behind references, and once for schemas that contain themselves", () => {
    const tree = (of: Schema): ApiDocument => {
      const made = api(nothing, { $ref: "#/components/schemas/Tree" });
      made.components = {
        schemas: {
          Tree: object({
            value: of,
            children: { type: "array", items: { $ref: "#/components/schemas/Tree" } },
          }),
        },
      };
      return made;
    };
    expect(breakingChanges(tree(text), tree({ type: "integer" }))).toEqual([
      "POST /v1/things 201.value: was string and is integer",
    ]);
  });

  it("is a parameter that goes or is required, a status that goes, a name that changes", () => {
    const page = { name: "page", in: "query", schema: text };
    const before = api(nothing, nothing, { parameters: [page] });
    expect(breakingChanges(before, api(nothing, nothing, { parameters: [] }))).toEqual([
      "POST /v1/things query page: was removed",
    ]);
    expect(
      breakingChanges(before, api(nothing, nothing, { parameters: [{ ...page, required: true }] })),
    ).toEqual(["POST /v1/things query page: is now required"]);
    expect(breakingChanges(before, api(nothing, nothing, { parameters: [page], responses: {} }))).toEqual([
      "POST /v1/things 201: is no longer answered",
    ]);
    expect(
      breakingChanges(before, api(nothing, nothing, { parameters: [page], operationId: "other" })),
    ).toEqual(["POST /v1/things: is now called other"]);
  });

  it("is not an operation that goes after its sunset, but before it", () => {
    const before = api(nothing, nothing, { "x-sunset": "2027-06-30" });
    const gone: ApiDocument = { paths: {} };
    expect(breakingChanges(before, gone, new Date("2027-06-29"))).toEqual(["POST /v1/things: was removed"]);
    expect(breakingChanges(before, gone, new Date("2027-07-01"))).toEqual([]);
  });
});

describe("a deprecated operation", () => {
  const { rest: contract } = restOnly({
    permission: "notifications:read",
    method: "GET",
    path: "/v1/old-things",
    operationId: "listOldThings",
    summary: "List old things",
    tag: "Notifications",
    deprecated: { since: "2027-01-31", sunset: "2027-07-31", use: "listNotifications" },
    run: () => Promise.resolve({ ok: true }),
    answer: { status: 200, schema: z.object({ ok: z.boolean() }), description: "Things" },
  });

  it("says so in every answer, also in errors: since when, until when and what to read", async () => {
    const db = await testDatabase();
    const tenant = await makeTenant(db);
    const { key } = await tenant.makeKey("production");
    const rest = restClient(db.web);
    for (const [options, status] of [
      [{ key }, 200],
      [{}, 401],
    ] as const) {
      const answer = await rest.callContract(contract, contract.path, options);
      expect(answer.status).toBe(status);
      expect(answer.headers.get("deprecation")).toBe("@1801353600");
      expect(answer.headers.get("sunset")).toBe("Sat, 31 Jul 2027 00:00:00 GMT");
      expect(answer.headers.get("link")).toMatch(
        /^<http.+\/docs\/reference\/notifications#listOldThings>; rel="deprecation"; type="text\/html"$/,
      );
    }
    expect((await rest.get("/v1/notifications", { key })).headers.get("deprecation")).toBeNull();
  });

  it("is marked in the OpenAPI document, with what replaces it", () => {
    const operation = openApiDocument([...contracts, contract]).paths?.["/v1/old-things"]?.get;
    expect(operation).toMatchObject({ deprecated: true, "x-sunset": "2027-07-31" });
    expect(operation?.description).toContain("**Deprecated** since 2027-01-31");
    expect(operation?.description).toContain("Use `listNotifications` instead");
  });

  it("has half a year at least, and a replacement that exists", () => {
    for (const { operationId, deprecated } of [...contracts, contract]) {
      if (!deprecated) continue;
      const months = (Date.parse(deprecated.sunset) - Date.parse(deprecated.since)) / 86_400_000;
      expect(months, operationId).toBeGreaterThanOrEqual(180);
      expect(contracts.map((each) => each.operationId)).toContain(deprecated.use);
    }
  });
});
