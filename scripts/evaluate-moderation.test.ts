import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeEach, expect, test } from "vitest";
import { startFakeAi } from "../server/testing/fake-ai.ts";

const fake = await startFakeAi();
beforeEach(() => fake.reset());
afterAll(() => fake.close());

/** Runs the command without a database. */
async function evaluate(variables: Record<string, string>): Promise<string> {
  const script = fileURLToPath(new URL("evaluate-moderation.ts", import.meta.url));
  const env = { NODE_ENV: "test" as const, PATH: process.env.PATH ?? "", ...variables };
  return (await promisify(execFile)(process.execPath, [script], { env })).stdout;
}

test("without a service only the checks are evaluated, and the output says so", async () => {
  const printed = await evaluate({});
  expect(printed).toContain("No AI service is configured");
  expect(printed).toMatch(/sensitive_data .*100\.0 %.*100\.0 %/);
  expect(printed).toMatch(/must pass: \d+, refused: 0/);
});

test("what was written without seeing the rules is told apart, with what its first run found", async () => {
  const printed = await evaluate({});
  expect(printed).toMatch(/written-2026-11-25, at its first run, held out: sensitive data 53 of 56/);
  expect(printed).toMatch(/held out: abusive_language found: [\d.]+ % of \d+/);
});

test("a service gets everything that the checks pass, and its mistakes are listed", async () => {
  let asked = 0;
  fake.always(({ texts }) => {
    asked += 1;
    if (texts[1]?.includes("Shop now")) return { kind: "error", status: 400 };
    const excerpt = texts[1]?.includes("you idiot") ? "you idiot" : undefined;
    const finding = {
      category: "abusive_language",
      severity: "block",
      pointer: "/body",
      excerpt,
      explanation: "An insult.",
      suggestion: null,
    };
    const text = JSON.stringify({ findings: excerpt === undefined ? [] : [finding] });
    return { kind: "text", text, usage: { input: 10, output: 1 } };
  });
  const printed = await evaluate({ AI_BASE_URL: fake.baseUrl, AI_MODEL: "test-model" });
  expect(asked).toBeGreaterThan(150);
  expect(printed).toContain("test-model and no moderation endpoint");
  expect(printed).toMatch(/missed +insult-fr +abusive_language/);
  expect(printed).not.toMatch(/missed +insult-en .*you idiot/);
  expect(printed).toContain("Without an answer, and left out above: 1\nsale-en: ");
  expect(printed).toContain(`Tokens: ${String((asked - 1) * 10)} in, ${String(asked - 1)} out`);
  // What the checks block is not sent anywhere.
  expect(JSON.stringify(fake.requests.map(({ texts }) => texts))).not.toContain("for the deposit");
});
