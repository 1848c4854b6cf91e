import type { Ctx } from "../kernel/ctx.ts";
import { AiError } from "./ai-error.ts";
import { failureOf, logged } from "./ask.ts";
import type { AiMessage } from "./ask.ts";
import { requireAi } from "./availability.ts";
import { aiClient, aiLimits } from "./client.ts";
import { deadline } from "./deadline.ts";
import { costOf, estimateTokens, recordUsage } from "./record-usage.ts";
import type { Cost, TokenUsage } from "./record-usage.ts";
import type { AiPurpose } from "./schemas.ts";
import { reportedTokens } from "./wire.ts";

export interface StreamedText {
  text: string;
  /** `declined`: the service refused to write it; `cut`: it was longer than requested or than the service writes. */
  end: "whole" | "declined" | "cut";
  use: TokenUsage;
  /** null: the operator has configured no prices. */
  cost: Cost | null;
}

/**
 * Has the configured service write a text; yields its chunks and returns the whole. Ending the generator early, or the
 * signal, ends the call at the service at once. Usage is recorded in every case, estimated from the texts when the
 * service does not report it.
 *
 * Throws `ai_unavailable` when the tenant's texts may not go there, and AiError when the service fails.
 */
export async function* streamText(
  ctx: Ctx,
  request: {
    purpose: AiPurpose;
    messages: readonly AiMessage[];
    templateId?: string | undefined;
    /** Where to stop a service that does not stop. */
    maxCharacters: number;
  },
  caller?: AbortSignal,
): AsyncGenerator<string, StreamedText, undefined> {
  const { config } = await requireAi(ctx);
  const client = aiClient(config);
  const { signal, end: endDeadline } = deadline(caller, aiLimits.draftMs);
  const inputTokens = estimateTokens(request.messages.map(({ content }) => content).join("\n"));
  let text = "";
  let reported: TokenUsage | undefined;
  let billed = false;
  let leave: (() => void) | undefined;
  const used = (): TokenUsage =>
    reported ?? { inputTokens, outputTokens: estimateTokens(text), estimated: true };
  try {
    leave = await client.drafts.acquire(signal);
    // From here on whoever stops reading leaves a call behind that the service bills.
    billed = true;
    const stream = await client.openai.chat.completions.create(
      {
        model: config.model,
        messages: [...request.messages],
        stream: true,
        stream_options: { include_usage: true },
      },
      { signal },
    );
    // The package holds the caller's signal weakly; a cancelled call must end for certain.
    const stop = (): void => stream.controller.abort();
    signal.addEventListener("abort", stop, { once: true });
    let end: StreamedText["end"] | undefined;
    for await (const chunk of stream) {
      // OpenAI-compatible servers leave things out.
      const { usage, choices } = (chunk as Partial<typeof chunk> | null) ?? {};
      const tokens = reportedTokens(usage);
      if (tokens) reported = { inputTokens: tokens.input, outputTokens: tokens.output, estimated: false };
      const choice = (choices as Partial<(typeof chunk.choices)[number]>[] | undefined)?.[0];
      if (!choice) continue;
      const { content, refusal } = choice.delta ?? {};
      if (refusal || choice.finish_reason === "content_filter") end = "declined";
      else if (choice.finish_reason === "length") end = "cut";
      else if (choice.finish_reason) end ??= "whole";
      if (typeof content !== "string" || content === "") continue;
      text += content;
      yield content;
      if (text.length > request.maxCharacters) {
        end = "cut";
        break;
      }
    }
    // The package ends an aborted stream silently.
    signal.throwIfAborted();
    if (!end) throw new AiError("unavailable", { mayBeBilled: true });
    return { text, end, use: used(), cost: costOf(config.price, used()) };
  } catch (error) {
    const failure = failureOf(error, signal);
    billed &&= text !== "" || (failure instanceof AiError && failure.mayBeBilled);
    throw logged(ctx, request.purpose, failure);
  } finally {
    leave?.();
    endDeadline();
    if (billed) await recordUsage(ctx, { ...request, model: config.model, price: config.price }, used());
  }
}
