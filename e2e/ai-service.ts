/**
 * The AI service of the browser tests: OpenAI's contract on loopback, with fixed findings and texts.
 *   node e2e/ai-service.ts <port>
 */
import { startFakeAi } from "../server/testing/fake-ai.ts";
import type { FakeAiRequest, FakeAnswer } from "../server/testing/fake-ai.ts";

/** What it objects to, and its suggestions. */
const claims = [{ excerpt: "guaranteed to double", suggestion: "worth a look" }];

function review(request: FakeAiRequest): FakeAnswer {
  const material = JSON.parse(request.texts.at(-1) ?? "{}") as {
    texts?: { pointer: string; text: string }[];
  };
  const findings = (material.texts ?? []).flatMap(({ pointer, text }) =>
    claims
      .filter((claim) => text.includes(claim.excerpt))
      .map((claim) => ({
        category: "non_compliant_claim",
        severity: "block",
        pointer,
        ...claim,
        explanation: "Nobody can promise this.",
      })),
  );
  return { kind: "json", value: { findings } };
}

function write(request: FakeAiRequest): FakeAnswer {
  const asked = request.texts.join("\n");
  const [system = ""] = request.texts;
  if (asked.includes("take your time")) return { kind: "stall", text: "This will take a wh" };
  const text = asked.includes("use a variable of your own")
    ? "Hello {{ stranger }}, your order is on its way."
    : "Hello {{ customerName }}, good news: your order is on its way.";
  return {
    kind: "text",
    text: system.includes("Subject: ") ? `Subject: On its way\n\n<p>${text}</p>` : text,
  };
}

const fake = await startFakeAi({ port: Number(process.argv[2]) });
fake.always((request) => (request.body.response_format ? review(request) : write(request)));
