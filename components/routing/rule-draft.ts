/** Pure: a rule while it is being written. */
import { wholePercent } from "../../server/routing/vocabulary.ts";
import type { RuleChoices, RuleInput } from "../../server/routing/schemas.ts";
import { healthWords } from "./rule-words.ts";

export type Draft = RuleInput;
type Tiers = Draft["tiers"];
type Connection = RuleChoices["connections"][number];

export const emptyDraft: Draft = {
  name: "",
  enabled: true,
  application: null,
  channel: null,
  region: null,
  notificationType: null,
  notificationSubtype: null,
  priority: 100,
  tiers: [],
};

export function sumOf(tier: Tiers[number]): number {
  return tier.reduce((sum, { weight }) => sum + weight, 0);
}

export function spreadEvenly(tier: Tiers[number]): Tiers[number] {
  const shares = wholePercent(tier.map(() => 1));
  return tier.map((member, index) => ({ ...member, weight: shares[index] ?? 1 }));
}

/** The others keep their proportions and make room, or take what is free. */
function proportional(tier: Tiers[number]): Tiers[number] {
  const shares = wholePercent(tier.map(({ weight }) => weight));
  return tier.map((member, index) => ({ ...member, weight: shares[index] ?? 1 }));
}

/** Adds a connection to a tier, or as a tier of its own at the end, with an equal part of the messages. */
export function addTo(tiers: Tiers, tier: number, connectionId: string): Tiers {
  if (tier >= tiers.length) return [...tiers, [{ connectionId, weight: 100 }]];
  return tiers.map((members, index) => {
    if (index !== tier) return members;
    const part = members.length === 0 ? 100 : sumOf(members) / members.length;
    return proportional([...members, { connectionId, weight: part }]);
  });
}

/** Takes a connection out; a tier that is empty then goes. */
export function removeFrom(tiers: Tiers, connectionId: string): Tiers {
  return tiers
    .map((members) => {
      const left = members.filter((member) => member.connectionId !== connectionId);
      return left.length === members.length ? members : left.length > 0 ? proportional(left) : left;
    })
    .filter((members) => members.length > 0);
}

/** Moves a connection into another tier; `to` = the number of tiers makes a new one. */
export function moveTo(tiers: Tiers, connectionId: string, to: number): Tiers {
  const from = tiers.findIndex((members) => members.some((member) => member.connectionId === connectionId));
  if (
    from < 0 ||
    from === to ||
    (to >= tiers.length && tiers[from]?.length === 1 && from === tiers.length - 1)
  ) {
    return tiers;
  }
  const alone = tiers[from]?.length === 1;
  const left = removeFrom(tiers, connectionId);
  return addTo(left, alone && to > from ? to - 1 : to, connectionId);
}

export function swapTiers(tiers: Tiers, a: number, b: number): Tiers {
  return tiers.map((tier, index) => (index === a ? tiers[b] : index === b ? tiers[a] : tier) ?? tier);
}

/**
 * What stands in the way of a connection in this rule, in words; null when nothing does.
 * @param sandbox whether the rule is one of the sandbox, where everything is simulated
 */
export function warningOf(
  connection: Connection | undefined,
  draft: Draft,
  unitId: string | null,
  sandbox: boolean,
): string | null {
  if (!connection) return "no longer exists, or you don't have access to it";
  if (draft.channel && !connection.channels.includes(draft.channel))
    return `doesn't support ${draft.channel}`;
  if (connection.unitId !== null && connection.unitId !== unitId) {
    return draft.application === null
      ? "belongs to one team, so a rule for the whole organisation can't use it"
      : "belongs to a different team than the application";
  }
  if (connection.problem) return connection.problem.detail.replace(/^the connection /, "");
  if (connection.adapter === "simulator" && !sandbox) return "only simulates: nobody receives its messages";
  const health = healthWords(connection.health);
  return health && `is ${health}`;
}

const fieldNames: Record<Exclude<keyof Draft, "tiers">, string> = {
  name: "name",
  enabled: "on or off",
  application: "application",
  channel: "channel",
  region: "region",
  notificationType: "type",
  notificationSubtype: "subtype",
  priority: "priority",
};

/** What differs between two drafts, as words for a sentence. */
export function changedParts(before: Draft, after: Draft): string[] {
  const parts = Object.entries(fieldNames).flatMap(([field, label]) =>
    before[field as keyof typeof fieldNames] === after[field as keyof typeof fieldNames] ? [] : [label],
  );
  const members = (draft: Draft) =>
    JSON.stringify(draft.tiers.map((tier) => tier.map(({ connectionId }) => connectionId).sort()));
  const weights = (draft: Draft) =>
    JSON.stringify(draft.tiers.map((tier) => tier.map(({ connectionId, weight }) => [connectionId, weight])));
  if (members(before) !== members(after)) parts.push("connections");
  else if (weights(before) !== weights(after)) parts.push("weights");
  return parts;
}
