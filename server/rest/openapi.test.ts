import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { errorTable } from "../kernel/errors.ts";
import { testEvent } from "../webhooks/schemas.ts";
import { webhookEvents } from "../webhooks/vocabulary.ts";
import { contracts } from "./contracts.ts";
import type { JsonSchema } from "./openapi-names.ts";
import { openApiDocument, openApiText } from "./openapi.ts";

interface Media {
  schema: JsonSchema;
  example?: unknown;
  examples?: Record<string, unknown>;
}
interface Operation {
  operationId: string;
  summary: string;
  description: string;
  parameters?: { in: string; name: string; description?: string }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description: string; headers?: object; content?: Record<string, Media> }>;
}
const document = JSON.parse(openApiText(contracts)) as {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema> };
  "x-webhooks": Record<
    string,
    { post: { requestBody: { content: Record<string, { schema: JsonSchema }> } } }
  >;
};

const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
const { schemas } = document.components;
const bodiesOf = ({ requestBody }: Operation) => Object.values(requestBody?.content ?? {});
const answersOf = ({ responses }: Operation) =>
  Object.values(responses).flatMap(({ content }) => Object.values(content ?? {}));

/** The schemas directly inside of one. */
const within = (schema: JsonSchema): JsonSchema[] => [
  ...Object.values(schema.properties ?? {}),
  ...(schema.items ? [schema.items] : []),
  ...(typeof schema.additionalProperties === "object" ? [schema.additionalProperties] : []),
  ...(schema.allOf ?? []),
  ...(schema.anyOf ?? []),
  ...(schema.oneOf ?? []),
];

/** A schema and everything in it, through references. */
function everythingIn(schema: JsonSchema, seen = new Set<JsonSchema>()): Set<JsonSchema> {
  if (seen.has(schema)) return seen;
  seen.add(schema);
  const named = schema.$ref === undefined ? undefined : schemas[schema.$ref.split("/").at(-1) ?? ""];
  for (const inner of [...within(schema), ...(named ? [named] : [])]) everythingIn(inner, seen);
  return seen;
}

describe("the OpenAPI document", () => {
  it("is OpenAPI 3.0 without a finding of Spectral, not even a warning", async () => {
    expect(document.openapi).toMatch(/^3\.0\./);
    const folder = await mkdtemp(path.join(tmpdir(), "openapi-"));
    const spectral = createRequire(import.meta.url).resolve("@stoplight/spectral-cli/dist/index.js");
    const findings = async (name: string, text: string, ruleset: string) => {
      const file = path.join(folder, name);
      await writeFile(file, text);
      const args = ["lint", file, "--ruleset", ruleset, "--fail-severity", "hint", "--format", "text"];
      return promisify(execFile)(process.execPath, [spectral, ...args]).then(
        () => "",
        (error: unknown) => (error as { stdout: string }).stdout,
      );
    };
    try {
      const own = path.resolve(import.meta.dirname, "../../.spectral.yaml");
      const schemaExamples = path.join(folder, "schema-examples.yaml");
      await writeFile(
        schemaExamples,
        'extends: [["spectral:oas", "off"]]\nrules:\n  oas3-valid-schema-example: error\n',
      );
      const isMedia = (name: string) => /^(?:application|text)\//.test(name);
      const withoutExamples = JSON.stringify(document, (name, value: unknown) =>
        isMedia(name) ? { ...(value as Media), example: undefined, examples: undefined } : value,
      );
      expect(await findings("openapi.json", openApiText(contracts), own)).toBe("");
      expect(await findings("schemas.json", withoutExamples, schemaExamples)).toBe("");
    } finally {
      await rm(folder, { recursive: true });
    }
  }, 180_000);

  it("contains every contract, and nothing else", () => {
    const inDocument = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(
        ([method, { operationId }]) => `${method.toUpperCase()} ${path} ${operationId}`,
      ),
    );
    expect(inDocument.toSorted()).toEqual(
      contracts.map(({ method, path, operationId }) => `${method} ${path} ${operationId}`).sort(),
    );
  });

  it("lists the errors of every operation, as problem documents", () => {
    for (const operation of Object.values(document.paths).flatMap((item) => Object.values(item))) {
      expect(Object.keys(operation.responses)).toEqual(
        expect.arrayContaining(["401", "403", "429", "500", "503"]),
      );
      if (operation.requestBody)
        expect(Object.keys(operation.responses)).toEqual(
          expect.arrayContaining(["400", "413", "415", "422"]),
        );
      for (const [status, response] of Object.entries(operation.responses)) {
        if (Number(status) < 400) continue;
        expect(Object.keys(response.content ?? {})).toEqual(["application/problem+json"]);
        for (const [, code] of response.description.matchAll(/`(\w+)`/g)) {
          expect(errorTable).toHaveProperty(code ?? "");
          expect(errorTable[code as keyof typeof errorTable].status).toBe(Number(status));
        }
      }
    }
  });

  it("has no object without a name, in bodies and in answers", () => {
    const anonymous: string[] = [];
    const visit = (schema: JsonSchema, where: string): void => {
      if (schema.properties) anonymous.push(where);
      within(schema).forEach((inner, index) => visit(inner, `${where}/${String(index)}`));
    };
    for (const operation of operations)
      for (const { schema } of [...bodiesOf(operation), ...answersOf(operation)])
        visit(schema, operation.operationId);
    for (const [name, schema] of Object.entries(schemas))
      for (const inner of within(schema)) visit(inner, name);
    expect(anonymous).toEqual([]);
    // Names are for people: none is numbered or says that it is one direction of another.
    expect(
      Object.keys(schemas).filter((name) => !/^[A-Z][A-Za-z]*(?:24Hours)?[A-Za-z]*$/.test(name)),
    ).toEqual([]);
    expect(Object.keys(schemas).filter((name) => /Output$|ListData$/.test(name))).toEqual([]);
  });

  it("refers to each of its schemas, and to none that it lacks", () => {
    const text = openApiText(contracts);
    const referredTo = new Set(
      [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name),
    );
    expect([...referredTo].sort()).toEqual(Object.keys(schemas).sort());
  });

  it("gives no member of a request a default, which generators take for required, and keeps those of answers", () => {
    const inRequests = operations
      .flatMap(bodiesOf)
      .flatMap(({ schema }) => [...everythingIn(schema)])
      .filter((schema) => "default" in schema);
    expect(inRequests).toEqual([]);
    const { SendRequest, PipelineStageGates } = schemas;
    expect(SendRequest?.required).not.toContain("templateVariables");
    expect(SendRequest?.properties?.templateVariables?.description).toContain("Default: `[]`");
    expect(PipelineStageGates?.properties?.moderation).toHaveProperty("default", true);
  });

  it("allows null where a named object may be missing, by the letter of OpenAPI 3.0", () => {
    const { failure } = schemas.Notification?.properties ?? {};
    expect(failure?.anyOf).toEqual([
      { $ref: "#/components/schemas/Failure" },
      { type: "object", nullable: true, enum: [null] },
    ]);
    const besides = [...operations.flatMap(bodiesOf), ...operations.flatMap(answersOf)]
      .flatMap(({ schema }) => [...everythingIn(schema)])
      .filter(({ nullable, type }) => nullable === true && type === undefined);
    expect(besides).toEqual([]);
  });

  it("has an example of every body and every answer, also of each problem", () => {
    for (const operation of operations) {
      for (const media of bodiesOf(operation)) expect(media, operation.operationId).toHaveProperty("example");
      for (const [status, { content = {} }] of Object.entries(operation.responses)) {
        for (const [type, media] of Object.entries(content)) {
          const what = `${operation.operationId} ${status} ${type}`;
          if (Number(status) >= 400) expect(Object.keys(media.examples ?? {}), what).not.toEqual([]);
          // A report is JSON first; its file is the same as a table.
          else if (type === "application/json" || !content["application/json"])
            expect(media, what).toHaveProperty("example");
        }
      }
    }
  });

  it("types problems, with every code of the table of errors", () => {
    const { Problem } = schemas;
    const members = ["type", "title", "status", "detail", "instance", "code", "requestId", "errors"];
    expect(Object.keys(Problem?.properties ?? {})).toEqual(members);
    expect(Problem?.required).toEqual(members);
    expect(Problem?.properties?.code?.enum).toEqual(Object.keys(errorTable).sort());
    expect(Object.keys(schemas.ProblemError?.properties ?? {})).toEqual(["pointer", "code", "detail"]);
  });

  it.each([
    ["createRoutingRule", 409],
    ["updateRoutingRule", 409],
    ["deleteRoutingRule", 409],
    ["replaceRoutingRules", 409],
    ["revertRoutingRules", 409],
    ["testShortener", 409],
    ["replayFailedWebhooks", 409],
    ["planTemplateImport", 404],
  ])("tells that %s may answer %i", (operationId, status) => {
    const operation = operations.find((each) => each.operationId === operationId);
    expect(operation?.responses).toHaveProperty(String(status));
  });

  it("says of every operation and parameter in a sentence what it is", () => {
    for (const { operationId, summary, parameters = [] } of operations) {
      expect(operationId).toMatch(/^[a-z]+[A-Za-z]+$/);
      expect(summary, operationId).toMatch(/^[A-Z].{5,90}[^.]$/);
      for (const { name, description } of parameters)
        expect(description, `${operationId} ${name}`).toBeTruthy();
    }
    const summaries = operations.map(({ summary }) => summary);
    expect(new Set(summaries).size).toBe(summaries.length);
  });

  it("says which way round final is", () => {
    expect(schemas.Notification?.properties?.final?.description).toBe(
      "True once the status can no longer change",
    );
  });

  it("describes every webhook event, also the one that is sent on request", () => {
    expect(Object.keys(document["x-webhooks"])).toEqual([...webhookEvents, testEvent]);
    const bodies = Object.values(document["x-webhooks"]).map(
      ({ post }) => post.requestBody.content["application/json"]?.schema.$ref,
    );
    expect(new Set(schemas.WebhookEvent?.anyOf?.map(({ $ref }) => $ref))).toEqual(new Set(bodies));
    for (const [event, { post }] of Object.entries(document["x-webhooks"])) {
      const name = post.requestBody.content["application/json"]?.schema.$ref?.split("/").at(-1) ?? "";
      expect(schemas[name]?.properties?.event?.enum, event).toContain(event);
    }
    expect(document.components.schemas).toHaveProperty("Problem");
  });

  it("keeps the names that generated code uses: a change of them is one of the API", async () => {
    const names = [...operations.map(({ operationId }) => operationId), ...Object.keys(schemas)];
    await expect(`${names.sort().join("\n")}\n`).toMatchFileSnapshot("openapi-names.txt");
  });

  it("is the same on every run", () => {
    expect(JSON.stringify(openApiDocument(contracts))).toBe(openApiText(contracts));
  });
});
