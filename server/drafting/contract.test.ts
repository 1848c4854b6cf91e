import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aiAccounts } from "../testing/ai-accounts.ts";
import { makeAiWorld } from "../testing/ai-world.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { descriptionFile, serveDescription } from "../testing/prism.ts";
import type { ServedDescription } from "../testing/prism.ts";
import { misfits } from "../testing/provider-contracts/contract.ts";
import { openaiContract } from "../testing/provider-contracts/openai.ts";
import { draftActions, draftRequestSchema } from "./schemas.ts";
import { writeDraft } from "./write-draft.ts";

const database = await testDatabase();
const { fake } = await makeAiWorld({ apiKey: "sk-test-0123456789abcdefghij" });
const tenant = await makeTenant(database);
aiAccounts(database, tenant.tenantId);
const description = descriptionFile("openai.yaml");

/** All requests of the product, for each action and channel, including the repeat after a wrong text. */
async function sentRequests() {
  fake.always({ kind: "text", text: "{{ undeclared }}" });
  for (const action of draftActions) {
    for (const channel of ["sms", "email", "whatsapp"] as const) {
      const request = draftRequestSchema.parse({
        application: "shop",
        action,
        channel,
        format: "mjml",
        prompt: 'Grüße 🎉 \u2028 "quoted"',
        tone: "formal",
        language: "de",
        subject: "Hello {{ name }}",
        body: "Hello {{ name }}",
        variables: [{ name: "name", example: "Ada" }],
      });
      for await (const event of await writeDraft(tenant.system, request)) expect(event).toBeDefined();
    }
  }
  return fake.requests;
}

it("asks for drafts as OpenAI documents it", async () => {
  const requests = await sentRequests();
  expect(requests).toHaveLength(draftActions.length * 3 * 2);
  for (const { body, authorization } of requests) {
    const headers = { authorization, "content-type": "application/json" };
    const request = { method: "POST", path: "/chat/completions", headers, body: JSON.stringify(body) };
    expect(misfits(openaiContract, request)).toEqual([]);
  }
}, 120_000);

describe.skipIf(description === null)("OpenAI's own API description", () => {
  let prism: ServedDescription;
  beforeAll(async () => {
    prism = await serveDescription(description ?? "");
  }, 120_000);
  afterAll(() => prism.close());

  const post = (body: unknown, authorization?: string) =>
    fetch(`${prism.baseUrl}/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", ...(authorization ? { authorization } : {}) },
      body: JSON.stringify(body),
    });

  it("accepts every request for a draft", async () => {
    const requests = await sentRequests();
    expect(requests).toHaveLength(draftActions.length * 3 * 2);
    for (const { body, authorization } of requests) {
      expect(body.stream).toBe(true);
      expect((await post(body, authorization)).status).toBe(200);
    }
  }, 120_000);

  it("refuses the same with one thing wrong (proof that it checks at all)", async () => {
    const [first] = await sentRequests();
    const { body = {}, authorization } = first ?? {};
    const messages = body.messages as object[];
    for (const wrong of [
      { ...body, messages: undefined },
      { ...body, messages: [] },
      { ...body, stream_options: { include_usage: "yes" } },
      { ...body, messages: [...messages, { role: "user" }] },
    ])
      expect((await post(wrong, authorization)).status, JSON.stringify(wrong)).toBe(422);
    expect((await post(body)).status).toBe(401);
  }, 120_000);
});
