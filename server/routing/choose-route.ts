import type { RouteExclusionCode } from "./schemas.ts";

/** A rule as routing uses it; null matches anything. */
export interface RoutingRule {
  id: string;
  name: string;
  region: string | null;
  applicationId: string | null;
  channel: string | null;
  notificationType: string | null;
  notificationSubtype: string | null;
  priority: number;
  tiers: { connectionId: string; weight: number }[][];
}

/** The message to be routed. */
export interface RouteFacts {
  region: string;
  applicationId: string;
  unitId: string;
  channel: string;
  notificationType: string;
  notificationSubtype: string;
}

/** What routing needs of a connection. */
export interface RoutableConnection {
  id: string;
  name: string;
  unitId: string | null;
  channels: readonly string[];
  processingRegion: string;
  enabled: boolean;
  adapter: { readonly name: string };
}

export interface RouteCandidate {
  connectionId: string;
  name: string;
  /** From 0. */
  tier: number;
  weight: number;
  /** Share of its tier's messages for which it comes first: percent, one decimal. */
  share: number;
}

export interface RouteExclusion {
  ruleId: string;
  ruleName: string;
  connectionId?: string;
  name?: string;
  code: RouteExclusionCode;
  why: string;
}

export interface Route {
  ruleId: string | null;
  ruleName: string | null;
  /** In the order in which they are tried. */
  candidates: RouteCandidate[];
  /** The others, with the reasons. */
  excluded: RouteExclusion[];
}

export interface RouteOptions {
  /** 0 ≤ spread < 1: which of a tier's connections is first. */
  spread: number;
  /** Where the tenant's data may be processed. */
  allowedRegions: ReadonlySet<string>;
  /** In the sandbox: whatever the rules say, nothing leaves it, and everything that the simulator can carry is carried. */
  simulatorOnly: boolean;
}

const matched = ["region", "applicationId", "channel", "notificationType", "notificationSubtype"] as const;

/** The number of a rule's conditions, 0 to 5: more specific rules win. */
export function specificity(rule: Pick<RoutingRule, (typeof matched)[number]>): number {
  return matched.filter((field) => rule[field] !== null).length;
}

/** The first condition of a rule that is not met; undefined when the rule matches. */
function missOf(rule: RoutingRule, facts: RouteFacts): (typeof matched)[number] | undefined {
  return matched.find((field) => rule[field] !== null && rule[field] !== facts[field]);
}

/** Whether a rule matches a message. */
export function isFor(rule: RoutingRule, facts: RouteFacts): boolean {
  return missOf(rule, facts) === undefined;
}

/** Orders rules by precedence: more specific first, then lower priority number, then older id. */
export function byPrecedence(a: RoutingRule, b: RoutingRule): number {
  return specificity(b) - specificity(a) || a.priority - b.priority || (a.id < b.id ? -1 : 1);
}

/**
 * The connections for a message, best first. The most specific matching rule decides, ties by the lower priority
 * number; within a tier the weights share the traffic: `spread` (e.g. from the notification's id) picks who is first,
 * so that the same message always gets the same order. Total: whatever the rules contain, it returns, and every member
 * of the deciding rule is either a candidate or excluded with its reason. In the sandbox the simulator is the candidate where
 * the rules have none.
 */
export function chooseRoute(
  rules: readonly RoutingRule[],
  connections: ReadonlyMap<string, RoutableConnection>,
  facts: RouteFacts,
  options: RouteOptions,
): Route {
  const excluded: RouteExclusion[] = [];
  const matching = rules.filter((rule) => {
    const miss = missOf(rule, facts);
    if (miss) {
      excluded.push({
        ...said(rule),
        code: "not_matching",
        why: `the rule is for another ${fieldName[miss]}`,
      });
    }
    return !miss;
  });
  matching.sort(byPrecedence);
  const rule = matching[0];
  if (!rule) {
    const candidates = options.simulatorOnly ? simulatorOf(connections, facts, 0) : [];
    return { ruleId: null, ruleName: null, candidates, excluded };
  }
  for (const other of matching.slice(1)) {
    excluded.push({
      ...said(other),
      code: "outranked",
      why:
        specificity(other) < specificity(rule)
          ? "a more specific rule decides"
          : "an equally specific rule of higher priority decides",
    });
  }
  const candidates: RouteCandidate[] = [];
  rule.tiers.forEach((tier, index) => {
    const usable: RouteCandidate[] = [];
    for (const { connectionId, weight } of tier) {
      const connection = connections.get(connectionId);
      const reason = whyNot(connection, facts, options) ?? (weight <= 0 ? noWeight : undefined);
      if (connection && !reason) {
        usable.push({ connectionId, name: connection.name, tier: index, weight, share: 0 });
      } else {
        excluded.push({
          ...said(rule),
          connectionId,
          ...(connection ? { name: connection.name } : {}),
          ...(reason ?? gone),
        });
      }
    }
    candidates.push(...byWeight(usable, options.spread));
  });
  if (candidates.length === 0 && options.simulatorOnly) {
    candidates.push(...simulatorOf(connections, facts, rule.tiers.length));
  }
  return { ruleId: rule.id, ruleName: rule.name, candidates, excluded };
}

/** The simulator, where it carries the message's channel. Where it processes data does not matter: nothing leaves it. */
function simulatorOf(
  connections: ReadonlyMap<string, RoutableConnection>,
  { channel }: RouteFacts,
  tier: number,
): RouteCandidate[] {
  const simulator = [...connections.values()].find(
    (connection) =>
      connection.adapter.name === "simulator" && connection.enabled && connection.channels.includes(channel),
  );
  return simulator ? [{ connectionId: simulator.id, name: simulator.name, tier, weight: 1, share: 100 }] : [];
}

const said = (rule: RoutingRule) => ({ ruleId: rule.id, ruleName: rule.name });

const fieldName: Record<(typeof matched)[number], string> = {
  region: "region",
  applicationId: "application",
  channel: "channel",
  notificationType: "notification type",
  notificationSubtype: "notification subtype",
};

type Reason = Pick<RouteExclusion, "code" | "why">;

const gone: Reason = { code: "connection_missing", why: "the connection no longer exists" };
const noWeight: Reason = { code: "no_weight", why: "its weight is 0" };

/**
 * Why a connection may not carry a message; undefined when it may. Null in `about` excludes nothing, so that a rule can
 * be checked like a message.
 */
export function whyNot(
  connection: RoutableConnection | undefined,
  about: { unitId: string | null; channel: string | null },
  options: Pick<RouteOptions, "allowedRegions" | "simulatorOnly">,
): Reason | undefined {
  if (!connection) return gone;
  if (!connection.enabled) return { code: "connection_disabled", why: "the connection is disabled" };
  if (about.channel !== null && !connection.channels.includes(about.channel)) {
    return { code: "channel_not_carried", why: `the connection does not carry ${about.channel}` };
  }
  if (connection.unitId !== null && about.unitId !== null && connection.unitId !== about.unitId) {
    return { code: "other_unit", why: "the connection belongs to another unit" };
  }
  if (!options.allowedRegions.has(connection.processingRegion)) {
    return {
      code: "region_not_allowed",
      why: `the connection processes data in ${connection.processingRegion}, which the organisation does not allow`,
    };
  }
  if (options.simulatorOnly && connection.adapter.name !== "simulator") {
    return { code: "sandbox_only", why: "the sandbox reaches the simulator only" };
  }
  return undefined;
}

/**
 * The connections of one tier: the one that `spread` falls on first, then the others by weight; each with its share.
 */
export function byWeight(tier: readonly RouteCandidate[], spread: number): RouteCandidate[] {
  const total = tier.reduce((sum, candidate) => sum + candidate.weight, 0);
  const shared = tier.map((candidate) => ({
    ...candidate,
    share: Math.round((candidate.weight / total) * 1_000) / 10,
  }));
  let left = spread * total;
  const first = shared.find((candidate) => (left -= candidate.weight) < 0) ?? shared[0];
  return [
    ...shared.filter((candidate) => candidate === first),
    ...shared.filter((candidate) => candidate !== first).sort((a, b) => b.weight - a.weight),
  ];
}
