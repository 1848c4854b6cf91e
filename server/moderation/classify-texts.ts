import type { AiConfig } from "../ai/config.ts";
import type { StructuredPrompt, ModerationVerdict } from "../ai/wire.ts";
import type { CheckedText } from "../content-checks/checks.ts";
import type { LocatedFinding } from "../content-checks/locate-findings.ts";
import { toLocatedFinding, policyQuestion } from "../content-checks/policy-check.ts";
import type { ModerationSubject, PolicyAnswer } from "../content-checks/policy-check.ts";
import type { Finding, ModerationResult } from "../content-checks/schemas.ts";
import { endpointFindings, piecesOf } from "./endpoint-check.ts";
import type { Piece } from "./endpoint-check.ts";

/** The endpoint takes this many texts at once. */
const piecesPerCall = 32;
/** So many calls about one save at once: of very many texts, such as the values of enums, they would keep others waiting. */
const callsAtOnce = 4;

/** Calls to the AI service; they share one deadline, and `giveUp` aborts those that still run. */
export interface ModerationService {
  /** null: the service has no moderation endpoint. */
  moderate(texts: readonly string[]): Promise<ModerationVerdict[] | null>;
  ask(question: StructuredPrompt<PolicyAnswer>): Promise<PolicyAnswer>;
  giveUp(): void;
  /** As locateFindings. */
  locate(
    findings: LocatedFinding[],
    texts: readonly CheckedText[],
    variables: readonly string[],
  ): Finding[] | Promise<Finding[]>;
}

/** Findings of the service: moderation endpoint and policy check, concurrently. Throws what the service throws. */
export async function classifyTexts(
  moderationService: ModerationService,
  config: Pick<AiConfig, "model" | "moderationModel">,
  texts: readonly CheckedText[],
  about: ModerationSubject & { class: string | null },
  policy: string,
): Promise<ModerationResult> {
  const [endpoint, answer] = await bothOrThrow(
    moderationService,
    askEndpoint(moderationService, piecesOf(texts, about.channel)),
    moderationService.ask(policyQuestion(texts, about, policy)),
  );
  const located = await moderationService.locate(
    answer.findings.map(toLocatedFinding),
    texts,
    about.variables ?? [],
  );
  return {
    checkedBy: [
      ...(endpoint && config.moderationModel !== null ? [`moderation:${config.moderationModel}`] : []),
      `policy:${config.model}`,
    ],
    findings: [...located, ...(endpoint ?? [])],
  };
}

/** When one of two calls fails, the other one is aborted. Throws the first failure. */
async function bothOrThrow<A, B>(
  moderationService: ModerationService,
  a: Promise<A>,
  b: Promise<B>,
): Promise<[A, B]> {
  const failures: unknown[] = [];
  const giveUp = (error: unknown): never => {
    failures.push(error);
    moderationService.giveUp();
    throw error;
  };
  const [first, second] = await Promise.allSettled([a.catch(giveUp), b.catch(giveUp)]);
  if (first.status === "fulfilled" && second.status === "fulfilled") return [first.value, second.value];
  throw failures[0];
}

async function askEndpoint(
  moderationService: ModerationService,
  pieces: readonly Piece[],
): Promise<Finding[] | null> {
  const batches = Array.from({ length: Math.ceil(pieces.length / piecesPerCall) }, (_, index) =>
    pieces.slice(index * piecesPerCall, (index + 1) * piecesPerCall).map(({ text }) => text),
  );
  const verdicts: ModerationVerdict[] = [];
  for (let next = 0; next < batches.length; next += callsAtOnce) {
    const calls = batches.slice(next, next + callsAtOnce).map((texts) => moderationService.moderate(texts));
    const answers = await Promise.all(calls);
    if (answers.includes(null)) return null;
    verdicts.push(...answers.flatMap((some) => some ?? []));
  }
  return endpointFindings(pieces, verdicts);
}
