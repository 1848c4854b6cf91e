import type { OpenAI } from "openai";
import { z } from "zod";
import { AiError } from "./ai-error.ts";
import type { AiClient } from "./client.ts";

/*
 * Single calls to the service: requests and reading of answers. They neither record nor log and know no tenant; errors
 * are the package's own, see toAiError.
 */

export interface AiMessage {
  role: "system" | "user" | "assistant";
  content: string;
}

/** A prompt with a structured answer. */
export interface StructuredPrompt<Answer> {
  /** Letters, digits, hyphens and underscores; sent to the service. */
  schemaName: string;
  /** The form of the answer. Strict objects without optional members: sent to the service, and checked here. */
  schema: z.ZodType<Answer>;
  messages: readonly AiMessage[];
}

type Completion = OpenAI.Chat.ChatCompletion;
type Choice = Partial<Omit<Completion["choices"][number], "message">> & {
  message?: { content?: unknown; refusal?: unknown } | null;
};
/** OpenAI-compatible servers leave things out, or put other things in their place. */
type LooseCompletion = { usage?: Usage; choices?: (Choice | null)[] };
type Usage = { prompt_tokens?: unknown; completion_tokens?: unknown } | null | undefined;

/** The tokens that a service reports; null when it reports none, or what cannot be. */
export function reportedTokens(usage: Usage): { input: number; output: number } | null {
  const { prompt_tokens: input, completion_tokens: output } = usage ?? {};
  return isCount(input) && isCount(output) ? { input, output } : null;
}

const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 1_000_000_000;

/**
 * One structured completion: its text, null when the service declined or was cut off, and the tokens that it reports,
 * null when it reports none.
 */
export async function completeStructured(
  { openai, config }: AiClient,
  question: StructuredPrompt<unknown>,
  signal: AbortSignal,
): Promise<{ text: string | null; whole: boolean; usage: { input: number; output: number } | null }> {
  const completion = await openai.chat.completions.create(
    {
      model: config.model,
      messages: [...question.messages],
      response_format: {
        type: "json_schema",
        json_schema: { name: question.schemaName, strict: true, schema: jsonSchema(question.schema) },
      },
    },
    { signal, maxRetries: 1 },
  );
  const { choices, usage } = (completion as LooseCompletion | null) ?? {};
  const choice = choices?.[0];
  const { content, refusal } = choice?.message ?? {};
  const text = typeof content === "string" ? content : null;
  return {
    text,
    whole: text !== null && choice?.finish_reason !== "length" && !refusal,
    usage: reportedTokens(usage),
  };
}

/** The parsed answer; undefined when it is off the schema. */
export function readAnswer<Answer>(text: string, schema: z.ZodType<Answer>): Answer | undefined {
  const parsed = schema.safeParse(parseJson(text));
  return parsed.success ? parsed.data : undefined;
}

/** What the moderation endpoint says about one text. */
export interface ModerationVerdict {
  flagged: boolean;
  /** The service's own category names, e.g. "harassment/threatening". */
  categories: string[];
  /** For every category, 0 to 1. */
  scores: Record<string, number>;
}

const moderationSchema = z.object({
  results: z.array(
    z.object({
      flagged: z.boolean(),
      categories: z.record(z.string(), z.boolean().nullish()),
      category_scores: z.record(z.string(), z.number().nullish()).default({}),
    }),
  ),
});

/** One call of the moderation endpoint: a verdict per text, in their order; null: the service has no such endpoint. */
export async function moderateOnce(
  { openai, config }: AiClient,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<ModerationVerdict[] | null> {
  if (config.moderationModel === null) return null;
  if (texts.length === 0) return [];
  const answer: unknown = await openai.moderations.create(
    { model: config.moderationModel, input: [...texts] },
    { signal, maxRetries: 1 },
  );
  const parsed = moderationSchema.safeParse(answer);
  if (parsed.data?.results.length !== texts.length) throw new AiError("off_schema");
  return parsed.data.results.map((result) => ({
    flagged: result.flagged,
    categories: Object.keys(result.categories).filter((name) => result.categories[name] === true),
    scores: Object.fromEntries(
      Object.entries(result.category_scores).map(([name, score]) => [name, score ?? 0]),
    ),
  }));
}

function jsonSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { target: "draft-7" });
  return rest;
}

/** Some models wrap their JSON in a block of Markdown, whatever they are told. */
function parseJson(text: string): unknown {
  const trimmed = text.trim();
  const fence = trimmed.endsWith("```") ? /^```(?:json)?[ \t\r]*\n/.exec(trimmed)?.[0] : undefined;
  try {
    return JSON.parse(fence === undefined ? text : trimmed.slice(fence.length, -3));
  } catch {
    return undefined;
  }
}
