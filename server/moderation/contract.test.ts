import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askStructured, moderate } from "../ai/ask.ts";
import { policyQuestion } from "../content-checks/policy-check.ts";
import { makeAiWorld } from "../testing/ai-world.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { descriptionFile, serveDescription } from "../testing/prism.ts";
import type { ServedDescription } from "../testing/prism.ts";
import { misfits } from "../testing/provider-contracts/contract.ts";
import { openaiContract } from "../testing/provider-contracts/openai.ts";
import { piecesOf } from "./endpoint-check.ts";

const database = await testDatabase();
const { fake } = await makeAiWorld();
const tenant = await makeTenant(database);
const description = descriptionFile("openai.yaml");

const texts = [
  { pointer: "/subject", text: "Your order {{ order }}" },
  { pointer: "/body", text: `<p>${"It is on its way. ".repeat(2_000)}</p>` },
];
const about = {
  channel: "email" as const,
  application: "shop",
  notificationType: "order",
  class: "transactional",
  language: "en",
  variables: ["order"],
};

/** Keywords of JSON Schema that strict structured outputs take (platform.openai.com/docs/guides/structured-outputs). */
const strictKeywords = new Set([
  "description",
  "type",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "enum",
  "anyOf",
]);

function* schemasIn(schema: unknown): Generator<Record<string, unknown>> {
  if (typeof schema !== "object" || schema === null) return;
  const node = schema as Record<string, unknown>;
  yield node;
  const { properties = {}, items, anyOf = [] } = node;
  for (const child of Object.values(properties as object)) yield* schemasIn(child);
  for (const child of anyOf as unknown[]) yield* schemasIn(child);
  yield* schemasIn(items);
}

describe("the schema of the model's answer", () => {
  it("is accepted by strict structured outputs: closed objects, every member required", async () => {
    fake.always({ kind: "json", value: { findings: [] } });
    await askStructured(tenant.system, { purpose: "moderation", ...policyQuestion(texts, about, "") });
    const format = fake.requests[0]?.body.response_format as {
      json_schema: { strict: boolean; schema: Record<string, unknown> };
    };
    expect(format.json_schema.strict).toBe(true);
    const schemas = [...schemasIn(format.json_schema.schema)];
    expect(schemas.length).toBeGreaterThan(6);
    for (const schema of schemas) {
      for (const keyword of Object.keys(schema)) expect(strictKeywords).toContain(keyword);
      if (schema.type !== "object") continue;
      expect(schema.additionalProperties).toBe(false);
      expect(schema.required).toEqual(Object.keys(schema.properties as object));
    }
  });
});

/** What the product sends, as the fake received it. */
async function sent() {
  fake.always({ kind: "json", value: { findings: [] } });
  await askStructured(tenant.system, {
    purpose: "moderation",
    ...policyQuestion(texts, about, "No penguins."),
  });
  await moderate(
    tenant.system,
    piecesOf(texts, "email").map(({ text }) => text),
  );
  const [chat, moderation] = fake.requests;
  return { chat: chat?.body ?? {}, moderation: moderation?.body ?? {} };
}

it("asks for the policy check and the moderation as OpenAI documents it", async () => {
  const { chat, moderation } = await sent();
  const headers = { authorization: "Bearer test", "content-type": "application/json" };
  const wrong = (path: string, body: unknown) =>
    misfits(openaiContract, { method: "POST", path, headers, body: JSON.stringify(body) });
  expect([...wrong("/chat/completions", chat), ...wrong("/moderations", moderation)]).toEqual([]);
});

describe.skipIf(description === null)("OpenAI's own API description", () => {
  let prism: ServedDescription;
  beforeAll(async () => {
    prism = await serveDescription(description ?? "");
  }, 120_000);
  afterAll(() => prism.close());

  const post = (path: string, body: unknown) =>
    fetch(`${prism.baseUrl}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: "Bearer test" },
      body: JSON.stringify(body),
    });

  it("accepts the policy check and the moderation", async () => {
    const { chat, moderation } = await sent();
    expect((await post("/chat/completions", chat)).status).toBe(200);
    expect((await post("/moderations", moderation)).status).toBe(200);
  });

  it("refuses the same with one thing wrong (proof that it checks at all)", async () => {
    const { chat, moderation } = await sent();
    const wrong = [
      ["/chat/completions", { ...chat, messages: undefined }],
      ["/chat/completions", { ...chat, response_format: { type: "json_schema" } }],
      ["/chat/completions", { ...chat, messages: [{ role: "nobody", content: "x" }] }],
      ["/moderations", { ...moderation, input: undefined }],
    ] as const;
    for (const [path, body] of wrong) expect((await post(path, body)).status, JSON.stringify(body)).toBe(422);
  });
});
