/** A rule as routing reads it; null matches anything (DECISIONS §7). */
export interface RoutingRule {
  id: string;
  region: string | null;
  applicationId: string | null;
  channel: string | null;
  notificationType: string | null;
  notificationSubtype: string | null;
  priority: number;
  tiers: { connectionId: string; weight: number }[][];
}

/** What is to be routed. */
export interface RouteFacts {
  region: string;
  applicationId: string;
  unitId: string;
  channel: string;
  notificationType: string;
  notificationSubtype: string;
}

/** What routing has to know of a connection. */
export interface RoutableConnection {
  id: string;
  name: string;
  unitId: string | null;
  channels: readonly string[];
  processingRegion: string;
  enabled: boolean;
}

export interface RouteCandidate {
  connectionId: string;
  name: string;
  tier: number;
  weight: number;
}

export interface Route {
  ruleId: string | null;
  /** In the order in which they are tried. */
  candidates: RouteCandidate[];
  /** Why each of the others is not among them. */
  excluded: { ruleId: string; connectionId?: string; name?: string; why: string }[];
}

const matched = ["region", "applicationId", "channel", "notificationType", "notificationSubtype"] as const;

function specificity(rule: RoutingRule): number {
  return matched.filter((field) => rule[field] !== null).length;
}

/**
 * The connections for a message, best first. The most specific matching rule decides, ties by the lower priority number;
 * within a tier the weights share the traffic: `spread` (0 ≤ spread < 1, e.g. from the notification's id) picks who is
 * first, so that the same message always asks in the same order.
 */
export function chooseRoute(
  rules: readonly RoutingRule[],
  connections: ReadonlyMap<string, RoutableConnection>,
  facts: RouteFacts,
  options: { spread: number; allowedRegions: ReadonlySet<string> },
): Route {
  const excluded: Route["excluded"] = [];
  const matching = rules.filter((rule) => {
    const miss = matched.find((field) => rule[field] !== null && rule[field] !== facts[field]);
    if (miss) excluded.push({ ruleId: rule.id, why: `the rule is for another ${fieldName[miss]}` });
    return !miss;
  });
  matching.sort(
    (a, b) => specificity(b) - specificity(a) || a.priority - b.priority || (a.id < b.id ? -1 : 1),
  );
  const rule = matching[0];
  if (!rule) return { ruleId: null, candidates: [], excluded };
  for (const other of matching.slice(1)) {
    excluded.push({ ruleId: other.id, why: "a more specific rule or one of higher priority decides" });
  }
  const candidates: RouteCandidate[] = [];
  rule.tiers.forEach((tier, index) => {
    const usable: RouteCandidate[] = [];
    for (const { connectionId, weight } of tier) {
      const connection = connections.get(connectionId);
      const why =
        whyNot(connection, facts, options.allowedRegions) ?? (weight <= 0 ? "its weight is 0" : undefined);
      if (why !== undefined || !connection) {
        excluded.push({
          ruleId: rule.id,
          connectionId,
          ...(connection ? { name: connection.name } : {}),
          why: why ?? "the connection no longer exists",
        });
      } else {
        usable.push({ connectionId, name: connection.name, tier: index, weight });
      }
    }
    candidates.push(...byWeight(usable, options.spread));
  });
  return { ruleId: rule.id, candidates, excluded };
}

const fieldName: Record<(typeof matched)[number], string> = {
  region: "region",
  applicationId: "application",
  channel: "channel",
  notificationType: "notification type",
  notificationSubtype: "notification subtype",
};

function whyNot(
  connection: RoutableConnection | undefined,
  facts: RouteFacts,
  allowedRegions: ReadonlySet<string>,
): string | undefined {
  if (!connection) return "the connection no longer exists";
  if (!connection.enabled) return "the connection is disabled";
  if (!connection.channels.includes(facts.channel)) return `the connection does not carry ${facts.channel}`;
  if (connection.unitId !== null && connection.unitId !== facts.unitId)
    return "the connection belongs to another unit";
  if (!allowedRegions.has(connection.processingRegion)) {
    return `the connection processes data in ${connection.processingRegion}, which the tenant does not allow`;
  }
  return undefined;
}

/** The one that `spread` falls on first, then the others by weight. */
function byWeight(tier: RouteCandidate[], spread: number): RouteCandidate[] {
  if (tier.length < 2) return tier;
  const total = tier.reduce((sum, candidate) => sum + candidate.weight, 0);
  let left = spread * total;
  const first = tier.find((candidate) => (left -= candidate.weight) < 0) ?? tier[0];
  return [
    ...tier.filter((candidate) => candidate === first),
    ...tier.filter((candidate) => candidate !== first).sort((a, b) => b.weight - a.weight),
  ];
}
