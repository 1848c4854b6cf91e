import { rulesSince } from "../routing/rules-since.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { AttemptRow, EventRow } from "./notification-queries.ts";
import type { LeftOutCode, RecordedDecision } from "./recorded-decision.ts";
import type { Timeline } from "./schemas.ts";

/** Why a connection was left out, in words that follow its name. */
const leftOutWords: Record<LeftOutCode, string> = {
  connection_missing: "the connection no longer existed",
  connection_disabled: "the connection was disabled",
  channel_not_carried: "it did not carry this channel",
  other_unit: "it belonged to another unit",
  region_not_allowed: "it processed data where the organisation did not allow it",
  sandbox_only: "the sandbox reaches the simulator only",
  no_weight: "its weight was 0",
  address_not_carried: "its provider does not take this form of address",
  sender_not_allowed: "it may not send as the sender that the template names",
};

/**
 * Why a message went the way it went, as recorded with each attempt, or with the failure of one that nothing could carry; oldest first.
 * Attempts from before decisions were recorded are not among them.
 */
export async function presentDecisions(
  ctx: Ctx,
  attempts: readonly AttemptRow[],
  events: readonly EventRow[],
): Promise<Timeline["decisions"]> {
  const recorded: { attempt: AttemptRow | null; decision: RecordedDecision }[] = [
    ...attempts.flatMap((attempt) => (attempt.decision ? [{ attempt, decision: attempt.decision }] : [])),
    ...events.flatMap(({ data }) => (data.decision ? [{ attempt: null, decision: data.decision }] : [])),
  ];
  const since = await rulesSince(
    ctx,
    recorded.flatMap(({ decision }) => decision.rule ?? []),
  );
  return recorded.map(({ attempt, decision }) => ({
    attempt: attempt?.number ?? null,
    connectionId: attempt?.connectionId ?? null,
    rule: decision.rule && {
      id: decision.rule.id,
      name: decision.rule.name,
      since: since(decision.rule),
    },
    reply: decision.reply === true,
    candidates: decision.candidates.map(({ id, name, tier, share, state }) => ({
      ...{ connectionId: id, name, tier, share },
      state: state ?? null,
    })),
    leftOut: decision.leftOut.map(({ name, code }) => ({ name: name ?? null, why: leftOutWords[code] })),
    more: decision.more ?? 0,
  }));
}
