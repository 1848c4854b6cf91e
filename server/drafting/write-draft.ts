import { aiUnavailable, AiError } from "../ai/ai-error.ts";
import type { AiMessage } from "../ai/ask.ts";
import { requireAi } from "../ai/availability.ts";
import { requireBudget } from "../ai/budget.ts";
import { addCosts } from "../ai/record-usage.ts";
import type { Cost } from "../ai/record-usage.ts";
import type { AiSettings } from "../ai/schemas.ts";
import { streamText } from "../ai/stream-text.ts";
import type { StreamedText } from "../ai/stream-text.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { refuseBlocked } from "../moderation/moderate-texts.ts";
import { checkInThread } from "../rendering/render-pool.ts";
import { requireTemplate } from "../templates/present-template.ts";
import { requireApplication } from "../templates/template-access.ts";
import { checkDraft } from "./check-draft.ts";
import { draftMessages, repeatMessages } from "./draft-prompt.ts";
import { DraftReader } from "./draft-reader.ts";
import { reserveDraftSlot } from "./running-drafts.ts";
import type { DraftEvent, DraftRequest } from "./schemas.ts";

/** The length at which a service that does not stop is stopped: more than anybody wants to read. */
const maxAnswer: Record<DraftRequest["channel"], number> = { sms: 8_000, whatsapp: 16_000, email: 100_000 };

/**
 * Has a text drafted, rewritten, shortened, translated or put into another tone. Rejects at once with
 * `permission_denied`, `invalid_request`, `moderation_blocked` (the material itself may not leave), `ai_unavailable`,
 * `ai_budget_exhausted` or `service_overloaded`. The generator then yields the text while it is being written, checks
 * it, has a wrong one written once more, and ends with `done` or `refused`; it throws `ai_unavailable` when the service
 * fails on the way, and `rate_limited` when the organisation has too many drafts running.
 *
 * Nothing is saved: a draft that is saved is checked like any other text. Ending the generator, or the signal, ends the
 * call at the service.
 */
export async function writeDraft(
  ctx: Ctx,
  input: DraftRequest,
  signal?: AbortSignal,
): Promise<AsyncGenerator<DraftEvent, void, undefined>> {
  const { application } = await requireApplication(ctx, "templates:write", input.application);
  if (input.templateId !== undefined) {
    const row = await requireTemplate(ctx, "templates:write", input.templateId);
    if (row.applicationId !== application.id) throw notFound();
  }
  requireMaterial(input);
  const { settings, config } = await requireAi(ctx);
  if (!settings.drafting) {
    throw new DomainError(
      "ai_unavailable",
      "Drafting is switched off in the settings of this organisation. Write the text yourself, or ask somebody who may change the settings.",
    );
  }
  await requireBudget(ctx, settings);
  const messages = draftMessages(await withoutSecrets(ctx, input), settings.policy);
  return inPlace(ctx, () => write(ctx, input, messages, settings, config.model, signal));
}

/**
 * The request as the service may see it: an example with a card number or an IBAN is left out, as the service does not need
 * it. Throws `moderation_blocked` for a secret anywhere else; a rude text may be sent to have it put politely.
 */
async function withoutSecrets(ctx: Ctx, input: DraftRequest): Promise<DraftRequest> {
  const sent = texts(input);
  const examples = input.variables.map(({ example = "" }) => ({ pointer: "/example", text: example }));
  const found = await checkInThread(ctx.tenantId, [...sent, ...examples]);
  const findings = found
    .slice(0, sent.length)
    .flat()
    .filter(({ category }) => category === "sensitive_data");
  refuseBlocked({ checkedBy: ["deterministic"], findings });
  const blocked = found.slice(sent.length).map((some) => some.some(({ severity }) => severity === "block"));
  return {
    ...input,
    variables: input.variables.map(({ example, ...variable }, index) =>
      example === undefined || blocked[index] ? variable : { ...variable, example },
    ),
  };
}

/** Holds one of the organisation's slots while the text is being written. */
async function* inPlace(
  ctx: Ctx,
  work: () => AsyncGenerator<DraftEvent, void, undefined>,
): AsyncGenerator<DraftEvent, void, undefined> {
  const giveBack = reserveDraftSlot(ctx.tenantId);
  try {
    yield* work();
  } finally {
    giveBack();
  }
}

async function* write(
  ctx: Ctx,
  input: DraftRequest,
  asked: readonly AiMessage[],
  settings: AiSettings,
  model: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<DraftEvent, void, undefined> {
  let messages = asked;
  let inputTokens = 0;
  let outputTokens = 0;
  let cost: Cost | null = null;
  for (let repeated = false; ; repeated = true) {
    const reader = new DraftReader({ subject: input.channel === "email" });
    let answer: StreamedText;
    try {
      answer = yield* readAnswer(ctx, input, messages, reader, signal);
    } catch (error) {
      // Nobody is listening any more.
      if (error instanceof AiError && error.kind === "aborted") return;
      throw error instanceof AiError ? aiUnavailable(error) : error;
    }
    inputTokens += answer.use.inputTokens;
    outputTokens += answer.use.outputTokens;
    cost = addCosts(cost, answer.cost);
    const { subject, body } = reader;
    if (answer.end === "declined") {
      const because = "The AI service declines to write this.";
      yield { type: "refused", because, undeclared: [], subject, body };
      return;
    }
    const { problems, undeclared, segments } = await checkDraft(ctx.tenantId, input, { subject, body });
    if (answer.end === "cut") problems.unshift("The text is too long and was cut off.");
    if (problems.length === 0) {
      yield { type: "done", subject, body, segments, model, inputTokens, outputTokens, cost };
      return;
    }
    const because = problems.slice(0, 5).join(" ");
    if (repeated) {
      yield { type: "refused", because, undeclared, subject, body };
      return;
    }
    await requireBudget(ctx, settings);
    yield { type: "restart", because };
    messages = repeatMessages(messages, answer.text, problems);
  }
}

/** One answer of the service, split into parts; yields its pieces and returns the whole. */
async function* readAnswer(
  ctx: Ctx,
  input: DraftRequest,
  messages: readonly AiMessage[],
  reader: DraftReader,
  signal: AbortSignal | undefined,
): AsyncGenerator<DraftEvent, StreamedText, undefined> {
  const { action: purpose, templateId } = input;
  const maxCharacters = maxAnswer[input.channel];
  const answer = streamText(ctx, { purpose, messages, templateId, maxCharacters }, signal);
  try {
    for (let next = await answer.next(); ; next = await answer.next()) {
      for (const piece of next.done ? reader.end() : reader.push(next.value)) {
        yield { type: "delta", ...piece };
      }
      if (next.done) return next.value;
    }
  } finally {
    // A caller who stops reading here stops the service, too.
    await answer.return(undefined as never);
  }
}

function requireMaterial(input: DraftRequest): void {
  const missing = (pointer: string, detail: string): never => {
    throw new DomainError("invalid_request", detail, {
      errors: [{ pointer, code: "required", detail }],
    });
  };
  const { action, prompt, body, language, tone } = input;
  if (action === "draft" && prompt === "") missing("/prompt", "Say what the text is to be about.");
  if (action !== "draft" && body.trim() === "") missing("/body", "There is no text yet to work on.");
  if (action === "translate" && language === undefined) missing("/language", "Choose a language.");
  if (action === "tone" && tone === undefined) missing("/tone", "Choose a tone.");
}

/** What people typed and what would be sent to the service, without examples. */
function texts({
  action,
  prompt,
  subject,
  body,
  variables,
}: DraftRequest): { pointer: string; text: string }[] {
  const original = [
    { pointer: "/subject", text: subject },
    { pointer: "/body", text: body },
  ];
  const values = variables.flatMap(({ values: all = [] }, index) =>
    all.map((text, place) => ({ pointer: `/variables/${String(index)}/values/${String(place)}`, text })),
  );
  return [{ pointer: "/prompt", text: prompt }, ...(action === "draft" ? [] : original), ...values];
}
