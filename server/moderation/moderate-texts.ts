import { createHash } from "node:crypto";
import { AiError } from "../ai/ai-error.ts";
import { askStructured, moderate } from "../ai/ask.ts";
import { aiAvailability } from "../ai/availability.ts";
import type { AiConfig } from "../ai/config.ts";
import { ttlCache } from "../kernel/cache.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { atMost100, checkTexts } from "./checks.ts";
import type { CheckedText } from "./checks.ts";
import { endpointFindings, piecesOf } from "./endpoint-check.ts";
import type { Piece } from "./endpoint-check.ts";
import { placeFinding } from "./place-findings.ts";
import { judged, policyQuestion } from "./policy-check.ts";
import type { ModerationSubject } from "./policy-check.ts";
import type { Finding, ModerationResult } from "./schemas.ts";

export type { ModerationSubject };

/** For everything that a save waits for, ms. */
const deadlineMs = 20_000;
/** The endpoint takes this many texts at once. */
const piecesPerCall = 32;

// One for all bundles of the process: what the editor has checked is not asked again by the save.
const key = Symbol.for("tidings.moderation");
const shared = globalThis as typeof globalThis & {
  [key]?: ReturnType<typeof ttlCache<ModerationResult>>;
};
const answers = (shared[key] ??= ttlCache<ModerationResult>({ ttlMs: 60 * 60_000, max: 500 }));

/**
 * What is known of a template's texts before they are saved; the result is kept with the version.
 *
 * The deterministic checks come first: what they block is sent to nobody. Then the AI service is asked, where there is one
 * that the tenant's texts may go to. Throws `moderation_unavailable` when it gives no usable answer in time.
 */
export async function moderateTexts(
  ctx: Ctx,
  texts: readonly CheckedText[],
  about: ModerationSubject,
): Promise<ModerationResult> {
  const checked: ModerationResult = { checkedBy: ["deterministic"], findings: checkTexts(texts) };
  if (checked.findings.some(({ severity }) => severity === "block")) return checked;
  const { config, settings, reason } = await aiAvailability(ctx);
  if (!config || reason !== null) return checked;

  const { notificationTypes } = await getCatalogue(ctx);
  const subject = {
    ...about,
    class: notificationTypes.find(({ type }) => type === about.notificationType)?.class ?? null,
  };
  // The same texts are judged alike, whichever template they are of.
  const { templateId: _, ...judgedBy } = subject;
  const service = [config.baseUrl, config.model, config.moderationModel];
  const hash = createHash("sha256")
    .update(JSON.stringify([ctx.tenantId, service, settings.policy, judgedBy, texts]))
    .digest("base64");
  const judgement = await answers.get(hash, () => askService(ctx, config, texts, subject, settings.policy));
  if (!judgement) return checked;
  return {
    checkedBy: [...checked.checkedBy, ...judgement.checkedBy],
    findings: merged(texts, checked.findings, judgement.findings),
  };
}

async function askService(
  ctx: Ctx,
  config: AiConfig,
  texts: readonly CheckedText[],
  about: ModerationSubject & { class: string | null },
  policy: string,
): Promise<ModerationResult> {
  const controller = new AbortController();
  const limits = { signal: controller.signal, timeoutMs: deadlineMs };
  const question = { purpose: "moderation" as const, ...policyQuestion(texts, about, policy) };
  const [endpoint, answer] = await bothOrNeither(
    controller,
    askEndpoint(ctx, piecesOf(texts, about.channel), limits),
    askStructured(ctx, { ...question, templateId: about.templateId, ...limits }),
  );
  return {
    checkedBy: [
      ...(endpoint && config.moderationModel !== null ? [`moderation:${config.moderationModel}`] : []),
      `policy:${config.model}`,
    ],
    findings: [
      ...answer.findings.flatMap((finding) => placeFinding(judged(finding), texts, about.variables ?? [])),
      ...(endpoint ?? []),
    ],
  };
}

/** When one of two calls has no answer, the other one is given up. Throws for the one that failed by itself. */
async function bothOrNeither<A, B>(
  controller: AbortController,
  a: Promise<A>,
  b: Promise<B>,
): Promise<[A, B]> {
  const failures: unknown[] = [];
  const giveUp = (error: unknown): never => {
    failures.push(error);
    controller.abort();
    throw error;
  };
  const [first, second] = await Promise.allSettled([a.catch(giveUp), b.catch(giveUp)]);
  if (first.status === "fulfilled" && second.status === "fulfilled") return [first.value, second.value];
  const [cause] = failures;
  throw cause instanceof AiError ? moderationUnavailable(cause) : cause;
}

/** null: the service has no such endpoint. */
async function askEndpoint(
  ctx: Ctx,
  pieces: readonly Piece[],
  limits: { signal: AbortSignal; timeoutMs: number },
): Promise<Finding[] | null> {
  const calls = Array.from({ length: Math.ceil(pieces.length / piecesPerCall) }, (_, index) =>
    moderate(
      ctx,
      pieces.slice(index * piecesPerCall, (index + 1) * piecesPerCall).map(({ text }) => text),
      limits,
    ),
  );
  const verdicts = await Promise.all(calls);
  if (verdicts.includes(null)) return null;
  return endpointFindings(
    pieces,
    verdicts.flatMap((some) => some ?? []),
  );
}

/**
 * All findings in the order of their places. What the service says again is left out: of a place where the checks have
 * been, of the very same place, or of a text as a whole in which the same is marked already; unless it is graver.
 */
function merged(
  texts: readonly CheckedText[],
  checked: readonly Finding[],
  judgement: readonly Finding[],
): Finding[] {
  let kept: Finding[] = [...checked];
  const lengths = new Map(texts.map(({ pointer, text }) => [pointer, text.length]));
  for (const finding of judgement) {
    const isWhole = finding.start === 0 && finding.end === lengths.get(finding.pointer);
    const alike = kept.filter(
      (other) =>
        other.category === finding.category &&
        other.pointer === finding.pointer &&
        (isWhole || checked.includes(other)
          ? other.start < finding.end && finding.start < other.end
          : other.start === finding.start && other.end === finding.end),
    );
    if (alike.some(({ severity }) => severity === "block" || finding.severity === "warn")) continue;
    const samePlace = (other: Finding) => other.start === finding.start && other.end === finding.end;
    kept = kept.filter((other) => !(alike.includes(other) && samePlace(other)));
    kept.push(finding);
  }
  const order = [...lengths.keys()];
  const rank = ({ pointer }: Finding) => order.indexOf(pointer);
  return atMost100(kept.sort((a, b) => rank(a) - rank(b) || a.start - b.start || a.end - b.end));
}

function moderationUnavailable(error: AiError): DomainError {
  const advice =
    error.kind === "refused"
      ? "Whoever runs this installation has to mend its configuration, or the organisation switches AI off."
      : "Nothing was saved and nothing is lost: try again in a moment.";
  return new DomainError("moderation_unavailable", `${error.message} ${advice}`, {
    retryAfter: 30,
    extra: { reason: error.kind },
    cause: error,
  });
}

/** Throws `moderation_blocked` with all findings when one of them blocks. */
export function refuseBlocked(result: ModerationResult): void {
  const blocking = result.findings.filter((finding) => finding.severity === "block");
  const [first] = blocking;
  if (!first) return;
  throw new DomainError(
    "moderation_blocked",
    `${first.explanation} Found in ${first.pointer}: ${first.excerpt}`,
    {
      errors: blocking.slice(0, 50).map((finding) => ({
        pointer: finding.pointer,
        code: finding.category,
        detail: `${finding.explanation} (characters ${String(finding.start)} to ${String(finding.end)})`,
      })),
      extra: { findings: result.findings },
    },
  );
}
