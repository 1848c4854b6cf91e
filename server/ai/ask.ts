import type { Ctx } from "../kernel/ctx.ts";
import { AiError, toAiError } from "./ai-error.ts";
import { requireAi } from "./availability.ts";
import { aiClient, aiLimits } from "./client.ts";
import type { AiClient } from "./client.ts";
import { deadline } from "./deadline.ts";
import { estimateTokens, recordUsage } from "./record-usage.ts";
import type { AiPurpose } from "./schemas.ts";
import { completeStructured, moderateOnce, readAnswer } from "./wire.ts";
import type { AiMessage, StructuredPrompt, ModerationVerdict } from "./wire.ts";

export type { AiMessage, ModerationVerdict };

export interface StructuredQuestion<Answer> extends StructuredPrompt<Answer> {
  purpose: AiPurpose;
  templateId?: string | undefined;
  signal?: AbortSignal | undefined;
  /** For everything, including a repeat; default 20,000. */
  timeoutMs?: number;
}

/**
 * Asks the configured service for structured output. An answer off the schema is requested once more. Each call is
 * recorded in the tenant's usage.
 *
 * Throws `ai_unavailable` when the tenant's texts may not go there, and AiError when there is no usable answer.
 */
export async function askStructured<Answer>(ctx: Ctx, question: StructuredQuestion<Answer>): Promise<Answer> {
  const { config } = await requireAi(ctx);
  const client = aiClient(config);
  const { signal, end } = deadline(question.signal, question.timeoutMs ?? aiLimits.answerMs);
  let leave: (() => void) | undefined;
  try {
    leave = await client.checks.acquire(signal);
    for (let repeated = false; ; repeated = true) {
      const text = await complete(ctx, client, question, signal);
      const answer = text === null ? undefined : readAnswer(text, question.schema);
      if (answer !== undefined) return answer;
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
  client: AiClient,
  question: StructuredQuestion<unknown>,
  signal: AbortSignal,
): Promise<string | null> {
  const { config } = client;
  const call = { ...question, model: config.model, price: config.price };
  const inputTokens = estimateTokens(question.messages.map(({ content }) => content).join("\n"));
  try {
    const { text, whole, usage } = await completeStructured(client, question, signal);
    await recordUsage(ctx, call, {
      inputTokens: usage?.input ?? inputTokens,
      outputTokens: usage?.output ?? estimateTokens(text ?? ""),
      estimated: !usage,
    });
    return whole ? text : null;
  } catch (error) {
    const failure = failureOf(error, signal);
    if (failure instanceof AiError && failure.mayBeBilled)
      await recordUsage(ctx, call, { inputTokens, outputTokens: 0, estimated: true });
    throw failure;
  }
}

/**
 * Calls the moderation endpoint; one verdict per text, in their order. null: the configured service has no such
 * endpoint. The endpoint reports no tokens and costs nothing, so nothing is recorded. Throws as `askStructured` does.
 */
export async function moderate(
  ctx: Ctx,
  texts: readonly string[],
  options: { signal?: AbortSignal | undefined; timeoutMs?: number } = {},
): Promise<ModerationVerdict[] | null> {
  const { config } = await requireAi(ctx);
  if (config.moderationModel === null) return null;
  const client = aiClient(config);
  const { signal, end } = deadline(options.signal, options.timeoutMs ?? aiLimits.answerMs);
  let leave: (() => void) | undefined;
  try {
    leave = await client.checks.acquire(signal);
    return await moderateOnce(client, texts, signal);
  } catch (error) {
    throw logged(ctx, "moderation", failureOf(error, signal));
  } finally {
    leave?.();
    end();
  }
}

/** Maps a failure to our words; when our own signal ended the call, its reason. */
export function failureOf(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted && signal.reason instanceof AiError) return signal.reason;
  return toAiError(error);
}

/** Logs what the operator should know, without texts and without the service's words; returns the error. */
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
