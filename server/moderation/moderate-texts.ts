import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { AiError } from "../ai/ai-error.ts";
import { askStructured, moderate } from "../ai/ask.ts";
import { aiAvailability } from "../ai/availability.ts";
import { aiSlots } from "../ai/client.ts";
import type { AiConfig } from "../ai/config.ts";
import { deadline } from "../ai/deadline.ts";
import type { CheckedText } from "../content-checks/checks.ts";
import { joined } from "../content-checks/join-findings.ts";
import type { ModerationSubject } from "../content-checks/policy-check.ts";
import type { Finding, ModerationResult } from "../content-checks/schemas.ts";
import { ttlCache } from "../kernel/cache.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import type { Semaphore } from "../kernel/semaphore.ts";
import { locateInThread } from "../rendering/render-pool.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { classifyTexts } from "./classify-texts.ts";
import type { ModerationService } from "./classify-texts.ts";

export type { ModerationSubject };

/** The limit for everything that a save waits for, ms. */
const deadlineMs = 20_000;

// One for all bundles of the process: what the editor has checked is not checked again by the save.
const answers = ttlCache<ModerationResult>({ name: "moderation", ttlMs: 60 * 60_000, max: 500 });

// One organisation's import must not keep the service from the others.
const slots = new LRUCache<string, Semaphore>({ max: 1_000, memoMethod: () => aiSlots(4, 50) });

/**
 * Moderates a template's texts before they are saved; the result is stored with the version.
 *
 * The deterministic checks come first: what they block is not sent anywhere. Then the AI service is called, if there is
 * one that the tenant's texts may go to. Throws `moderation_unavailable` when it gives no usable answer in time.
 */
export async function moderateTexts(
  ctx: Ctx,
  { texts, findings }: { texts: readonly CheckedText[]; findings: Finding[] },
  about: ModerationSubject,
): Promise<ModerationResult> {
  const checked: ModerationResult = { checkedBy: ["deterministic"], findings };
  if (checked.findings.some(({ severity }) => severity === "block")) return checked;
  const { config, settings, reason } = await aiAvailability(ctx);
  if (!config || reason !== null) return checked;

  const { notificationTypes } = await getCatalogue(ctx);
  const subject = {
    ...about,
    class: notificationTypes.find(({ type }) => type === about.notificationType)?.class ?? null,
  };
  // The same texts share a result, whichever template they belong to.
  const { templateId: _, ...judgedBy } = subject;
  const service = [config.baseUrl, config.model, config.moderationModel];
  const hash = createHash("sha256")
    .update(JSON.stringify([ctx.tenantId, service, settings.policy, judgedBy, texts]))
    .digest("base64");
  const judgement = await answers.get(hash, () => askService(ctx, config, texts, subject, settings.policy));
  return judgement ? joined(texts, checked, judgement) : checked;
}

async function askService(
  ctx: Ctx,
  config: AiConfig,
  texts: readonly CheckedText[],
  about: ModerationSubject & { class: string | null },
  policy: string,
): Promise<ModerationResult> {
  const controller = new AbortController();
  // One clock for the wait for a turn and for the service: together they are what a save waits.
  const whole = deadline(undefined, deadlineMs);
  const limits = { signal: AbortSignal.any([controller.signal, whole.signal]), timeoutMs: deadlineMs };
  const moderationService: ModerationService = {
    moderate: (pieces) => moderate(ctx, pieces, limits),
    ask: (question) =>
      askStructured(ctx, { purpose: "moderation", ...question, templateId: about.templateId, ...limits }),
    giveUp: () => controller.abort(),
    locate: (findings, locatedIn, variables) => locateInThread(ctx.tenantId, findings, locatedIn, variables),
  };
  let leave: (() => void) | undefined;
  try {
    leave = await slots.memo(ctx.tenantId).acquire(whole.signal);
    return await classifyTexts(moderationService, config, texts, about, policy);
  } catch (error) {
    const cause: unknown = whole.signal.aborted ? whole.signal.reason : error;
    throw cause instanceof AiError ? moderationUnavailable(cause) : error;
  } finally {
    whole.end();
    leave?.();
  }
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
