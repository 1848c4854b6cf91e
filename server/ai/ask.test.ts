import { describe, expect, test } from "vitest";
import { z } from "zod";
import { aiAccounts, listening } from "../testing/ai-accounts.ts";
import { makeAiWorld } from "../testing/ai-world.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { askStructured, moderate } from "./ask.ts";
import { replaceAiConfig } from "./config.ts";

const database = await testDatabase();
const tenant = await makeTenant(database);
const { fake, config } = await makeAiWorld({
  apiKey: "sk-test-0123456789abcdefghij",
  price: { input: 2, output: 10, currency: "EUR" },
});
const { saveSettings, usage } = aiAccounts(database, tenant.tenantId);
const ctx = tenant.as("template_author");

const schema = z.strictObject({ verdict: z.enum(["good", "bad"]) });
const messages = [{ role: "user" as const, content: "Is this good? grandmother's recipe" }];
const question = { purpose: "moderation" as const, schemaName: "verdict", schema, messages };

const failure = (work: Promise<unknown>) =>
  work.then(
    () => Promise.reject(new Error("it was answered")),
    (error: unknown) => error as Error & { kind?: string; code?: string },
  );

describe("a structured question", () => {
  test("is answered in its form, and its usage is recorded with the cost", async () => {
    fake.next({ kind: "text", text: '{"verdict":"good"}', usage: { input: 1_000, output: 500 } });
    expect(await askStructured(ctx, question)).toEqual({ verdict: "good" });
    const [asked] = fake.requests;
    expect(asked?.authorization).toBe(`Bearer ${String(config.apiKey)}`);
    expect(asked?.body).toMatchObject({
      model: "test-model",
      response_format: { type: "json_schema", json_schema: { name: "verdict", strict: true } },
    });
    expect(await usage()).toEqual([
      {
        purpose: "moderation",
        model: "test-model",
        input_tokens: 1_000,
        output_tokens: 500,
        estimated: false,
        cost: "0.007000",
        currency: "EUR",
        template_id: null,
        actor_name: "Template author",
      },
    ]);
  });

  test("is sent once more when the answer is off the schema, and both calls are recorded", async () => {
    fake.next({ kind: "json", value: { verdict: "ugly" } }, { kind: "json", value: { verdict: "bad" } });
    expect(await askStructured(ctx, question)).toEqual({ verdict: "bad" });
    expect(await usage()).toHaveLength(2);
  });

  test.each([
    ["another member", { kind: "json", value: { verdict: "good", more: 1 } }],
    ["no JSON", { kind: "text", text: "I think it is good." }],
    ["a refusal", { kind: "refusal", text: "I cannot help with that." }],
    ["no completion", { kind: "raw", body: "{}" }],
    ["no JSON at all", { kind: "raw", body: "<html>hello</html>" }],
    ["a choice without a message", { kind: "raw", body: '{"choices":[{"index":0}]}' }],
    ["a message that is none", { kind: "raw", body: '{"choices":[{"index":0,"message":null}]}' }],
    ["a choice that is none", { kind: "raw", body: '{"choices":[null]}' }],
    ["a list of parts", { kind: "raw", body: '{"choices":[{"message":{"content":[{"text":"x"}]}}]}' }],
    ["nothing", { kind: "raw", body: "null" }],
  ] as const)("that is answered with %s twice has no answer", async (_name, answer) => {
    fake.always(answer);
    expect((await failure(askStructured(ctx, question))).kind).toBe("off_schema");
  });

  test.each([
    ["none", {}],
    ["negative ones", { prompt_tokens: -5, completion_tokens: 1 }],
    ["more than can be", { prompt_tokens: 1e15, completion_tokens: 1 }],
    ["words", { prompt_tokens: "many", completion_tokens: 1 }],
  ])("whose tokens are reported as %s is recorded with an estimate", async (_name, reported) => {
    const choices = [{ message: { content: '{"verdict":"good"}' }, finish_reason: "stop" }];
    fake.next({ kind: "raw", body: JSON.stringify({ choices, usage: reported }) });
    expect(await askStructured(ctx, question)).toEqual({ verdict: "good" });
    expect(await usage()).toMatchObject([{ input_tokens: 9, output_tokens: 5, estimated: true }]);
  });

  test("takes JSON in a block of Markdown", async () => {
    fake.next({ kind: "text", text: '```json\n{"verdict":"good"}\n```' });
    expect(await askStructured(ctx, question)).toEqual({ verdict: "good" });
  });

  test.each([
    ["fails", { kind: "error", status: 500 }, "unavailable"],
    ["has too much to do", { kind: "error", status: 429, retryAfter: "0" }, "unavailable"],
    ["resets", { kind: "reset" }, "unavailable"],
    ["breaks off", { kind: "break", text: "{}" }, "unavailable"],
    ["does not know the model", { kind: "error", status: 404 }, "refused"],
  ] as const)("to a service that %s ends in %s", async (_name, answer, kind) => {
    fake.always(answer);
    expect((await failure(askStructured(ctx, question))).kind).toBe(kind);
  });

  test.each([
    ["before its head", { kind: "hang" }],
    ["in the middle of its answer", { kind: "stall", text: '{"verdict":"good"}' }],
  ] as const)(
    "to a service that hangs %s ends in time and is recorded as estimated",
    async (_name, answer) => {
      fake.always(answer);
      const coming = fake.nextRequest();
      const error = failure(askStructured(ctx, { ...question, timeoutMs: 300 }));
      expect((await error).kind).toBe("timeout");
      await (
        await coming
      ).gone;
      expect(await usage()).toMatchObject([{ estimated: true, output_tokens: 0 }]);
    },
  );

  test("to a service that says to come back later than the deadline ends in time", async () => {
    fake.always({ kind: "error", status: 429, retryAfter: "50" });
    const error = await failure(askStructured(ctx, { ...question, timeoutMs: 300 }));
    expect(error.kind).toBe("timeout");
  });

  test("without a service is unavailable", async () => {
    replaceAiConfig({ ...config, baseUrl: "http://127.0.0.1:9/v1" });
    expect((await failure(askStructured(ctx, question))).kind).toBe("unavailable");
    expect(await usage()).toEqual([]);
  });

  test("ends at once when its caller gives up", async () => {
    fake.always({ kind: "hang" });
    const coming = fake.nextRequest();
    const caller = new AbortController();
    const error = failure(askStructured(ctx, { ...question, signal: caller.signal }));
    const request = await coming;
    caller.abort();
    expect((await error).kind).toBe("aborted");
    await request.gone;
  });

  test("with a key that is refused reveals neither the key nor the service's words", async () => {
    const { ctx: heard, lines } = listening(ctx);
    replaceAiConfig({ ...config, apiKey: "sk-wrong-9876543210zyxwvut" });
    fake.always(({ authorization, texts }) => ({
      kind: "error",
      status: 401,
      message: `Incorrect API key provided: ${String(authorization)} for ${texts.join()}`,
    }));
    const error = await failure(askStructured(heard, question));
    expect(error.kind).toBe("refused");
    expect(lines).toHaveLength(1);
    const told = [
      ...lines,
      error.message,
      error.stack ?? "",
      JSON.stringify(error),
      String(error.cause),
    ].join();
    expect(told).not.toContain("9876543210");
    expect(told).not.toContain("grandmother");
    expect(await usage()).toEqual([]);
  });
});

describe("the moderation endpoint", () => {
  test("gives one verdict for each text", async () => {
    fake.moderations({ kind: "moderation", flag: (text) => (text.includes("idiot") ? ["harassment"] : []) });
    const verdicts = await moderate(ctx, ["Hello", "You idiot"]);
    expect(verdicts).toMatchObject([
      { flagged: false, categories: [] },
      { flagged: true, categories: ["harassment"], scores: { harassment: 0.95 } },
    ]);
    expect(fake.requests[0]?.body).toEqual({ model: "test-moderation", input: ["Hello", "You idiot"] });
  });

  test("is not called where there is none, nor without texts", async () => {
    expect(await moderate(ctx, [])).toEqual([]);
    replaceAiConfig({ ...config, moderationModel: null });
    expect(await moderate(ctx, ["Hello"])).toBeNull();
    expect(fake.requests).toEqual([]);
  });

  test("that answers for a wrong number of texts has no answer", async () => {
    fake.moderations({ kind: "raw", body: '{"id":"m","model":"m","results":[]}' });
    expect((await failure(moderate(ctx, ["Hello"]))).kind).toBe("off_schema");
  });
});

describe("texts do not leave", () => {
  test("when no service is configured", async () => {
    replaceAiConfig(null);
    expect((await failure(askStructured(ctx, question))).code).toBe("ai_unavailable");
  });

  test("when the organisation has switched AI off", async () => {
    await saveSettings({ ai: { enabled: false } });
    expect((await failure(askStructured(ctx, question))).code).toBe("ai_unavailable");
    expect((await failure(moderate(ctx, ["Hello"]))).code).toBe("ai_unavailable");
    expect(fake.requests).toEqual([]);
  });

  test("for a region that the organisation does not allow, until it does", async () => {
    replaceAiConfig({ ...config, region: "US" });
    const error = await failure(askStructured(ctx, question));
    expect(error.code).toBe("ai_unavailable");
    expect(error.message).toContain("US");
    expect(fake.requests).toEqual([]);
    await saveSettings({ allowedTransferRegions: ["US"] });
    fake.next({ kind: "json", value: { verdict: "good" } });
    expect(await askStructured(ctx, question)).toEqual({ verdict: "good" });
  });
});
