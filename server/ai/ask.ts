import { z } from "zod";
import type { Ctx } from "../kernel/ctx.ts";
import { AiError, toAiError } from "./ai-error.ts";
import { requireAi } from "./availability.ts";
import { aiDoor, aiLimits } from "./client.ts";
import { deadline } from "./deadline.ts";
import { estimateTokens, recordUsage } from "./record-usage.ts";
import type { AiPurpose } from "./schemas.ts";

export interface AiMessage {
  role: "system" | "user" | "assistant";
  content: string;
}

export interface StructuredQuestion<Answer> {
  purpose: AiPurpose;
  /** Letters, digits, hyphens and underscores; the service sees it. */
  schemaName: string;
  /** What the answer must be. Strict objects without optional members: the service is held to it, and checked here. */
  schema: z.ZodType<Answer>;
  messages: readonly AiMessage[];
  templateId?: string | undefined;
  signal?: AbortSignal | undefined;
  /** For everything, a repeat included; default 20,000. */
  timeoutMs?: number;
}

/**
 * Asks the configured service for an answer of a given form (structured output). An answer off the form is asked for
 * once more. Each call is recorded in the tenant's use.
 *
 * Throws `ai_unavailable` when the tenant's texts may not go there, and AiError when there is no answer that can be used.
 */
export async function askStructured<Answer>(ctx: Ctx, question: StructuredQuestion<Answer>): Promise<Answer> {
  const { config } = await requireAi(ctx);
  const door = aiDoor(config);
  const { signal, end } = deadline(question.signal, question.timeoutMs ?? aiLimits.answerMs);
  let leave: (() => void) | undefined;
  try {
    leave = await door.checks.enter(signal);
    for (let repeated = false; ; repeated = true) {
      const text = await complete(ctx, door, question, signal);
      const answer = text === null ? undefined : question.schema.safeParse(parseJson(text));
      if (answer?.success) return answer.data;
      if (repeated) throw new AiError("off_schema");
      ctx.log.warn(
        { tenantId: ctx.tenantId, purpose: question.purpose, schema: question.schemaName },
        "the AI service answered off the schema; asking once more",
      );
    }
  } catch (error) {
    throw logged(ctx, question.purpose, failureOf(error, signal));
  } finally {
    leave?.();
    end();
  }
}

/** The answer's text; null when the service declined or was cut off. */
async function complete(
  ctx: Ctx,
  { openai, config }: ReturnType<typeof aiDoor>,
  question: StructuredQuestion<unknown>,
  signal: AbortSignal,
): Promise<string | null> {
  const call = { ...question, model: config.model, price: config.price };
  const inputTokens = estimateTokens(question.messages.map(({ content }) => content).join("\n"));
  try {
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
    // Servers that only resemble OpenAI's leave things out.
    const choice = (completion.choices as (typeof completion.choices)[number][] | undefined)?.[0];
    const text = choice?.message.content ?? null;
    const { usage } = completion;
    await recordUsage(ctx, call, {
      inputTokens: usage?.prompt_tokens ?? inputTokens,
      outputTokens: usage?.completion_tokens ?? estimateTokens(text ?? ""),
      estimated: !usage,
    });
    const whole = choice && choice.finish_reason !== "length" && !choice.message.refusal;
    return whole ? text : null;
  } catch (error) {
    const failure = failureOf(error, signal);
    if (failure instanceof AiError && failure.mayBeBilled)
      await recordUsage(ctx, call, { inputTokens, outputTokens: 0, estimated: true });
    throw failure;
  }
}

/** What the moderation endpoint says of one text. */
export interface ModerationVerdict {
  flagged: boolean;
  /** The service's own names of what it found, e.g. "harassment/threatening". */
  categories: string[];
  /** Of every category, 0 to 1. */
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

/**
 * Asks the moderation endpoint about texts; one verdict each, in their order. null: the configured service has no such
 * endpoint. The endpoint reports no tokens and costs none, so nothing is recorded. Throws as `askStructured` does.
 */
export async function moderate(
  ctx: Ctx,
  texts: readonly string[],
  options: { signal?: AbortSignal | undefined; timeoutMs?: number } = {},
): Promise<ModerationVerdict[] | null> {
  const { config } = await requireAi(ctx);
  if (config.moderationModel === null) return null;
  if (texts.length === 0) return [];
  const door = aiDoor(config);
  const { signal, end } = deadline(options.signal, options.timeoutMs ?? aiLimits.answerMs);
  let leave: (() => void) | undefined;
  try {
    leave = await door.checks.enter(signal);
    const answer: unknown = await door.openai.moderations.create(
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
  } catch (error) {
    throw logged(ctx, "moderation", failureOf(error, signal));
  } finally {
    leave?.();
    end();
  }
}

/** A failure in our words; when our own signal ended the call, it says why. */
export function failureOf(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted && signal.reason instanceof AiError) return signal.reason;
  return toAiError(error);
}

/** Logs what the operator should know, without texts and without what the service said; returns the error. */
export function logged(ctx: Ctx, purpose: AiPurpose, error: unknown): unknown {
  if (error instanceof AiError && error.kind !== "aborted") {
    const level = error.kind === "refused" ? "error" : "warn";
    ctx.log[level](
      { tenantId: ctx.tenantId, requestId: ctx.requestId, purpose, kind: error.kind, status: error.status },
      "the AI service gave no usable answer",
    );
  }
  return error;
}

function jsonSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { target: "draft-7" });
  return rest;
}

/** Some models put their JSON into a block of Markdown, whatever they are told. */
function parseJson(text: string): unknown {
  const bare = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1] ?? text;
  try {
    return JSON.parse(bare);
  } catch {
    return undefined;
  }
}
