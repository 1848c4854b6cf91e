import type { ConnectionHealth } from "../connections/connection-state.ts";
import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { connectionProblem } from "./check-rules.ts";
import type { RulePlace } from "./check-rules.ts";
import { byPrecedence, specificity } from "./choose-route.ts";
import type { Route } from "./choose-route.ts";
import { healthyCandidates } from "./healthy-candidates.ts";
import { managesRule, seesConnection, seesRule } from "./rule-access.ts";
import type { StoredRule } from "./rule-set.ts";
import type { ExplainedRoute, RouteHealth, Rule } from "./schemas.ts";

export type HealthById = ReadonlyMap<string, ConnectionHealth>;

/** The health of a connection; null when there is nothing to report. */
export function healthOf(health: HealthById, connectionId: string): RouteHealth {
  const known = health.get(connectionId);
  if (!known || (known.breaker === "closed" && !known.slow)) return null;
  return {
    breaker: known.breaker,
    since: known.since.toISOString(),
    reason: { code: known.reasonCode, detail: known.reasonDetail },
    nextProbeAt: known.nextProbeAt?.toISOString() ?? null,
    slow: known.slow,
    slowSince: known.slowSince?.toISOString() ?? null,
  };
}

/**
 * A route as presented: its candidates in the order in which they would be tried now, with their health, and without
 * anything that concerns only other people's rules. `spread` as used for choosing.
 */
export function explainRoute(
  ctx: Ctx,
  route: Route,
  place: {
    catalogue: RulePlace["catalogue"];
    environment: { id: string };
    rules: readonly { id: string; applicationId: string | null }[];
  },
  health: HealthById,
  spread: number,
): ExplainedRoute {
  const visible = new Set(
    place.rules
      .filter((rule) => seesRule(ctx, place.catalogue, place.environment.id, rule))
      .map((rule) => rule.id),
  );
  return {
    ...route,
    candidates: healthyCandidates(route.candidates, health, spread).map((candidate) => ({
      ...candidate,
      health: healthOf(health, candidate.connectionId),
    })),
    excluded: route.excluded.filter((entry) => entry.code !== "not_matching" || visible.has(entry.ruleId)),
  };
}

/** The rules that the actor sees, in order of precedence. */
export function presentRules(place: RulePlace, rules: readonly StoredRule[], health: HealthById): Rule[] {
  const { ctx, catalogue, environment } = place;
  const ordered = [...rules].sort(byPrecedence);
  const deciding = new Map<string, StoredRule>();
  const shadows = new Map<string, StoredRule>();
  for (const rule of ordered) {
    const conditions = conditionsKey(rule);
    const first = deciding.get(conditions);
    if (first) shadows.set(rule.id, first);
    else if (rule.enabled) deciding.set(conditions, rule);
  }
  return ordered
    .filter((rule) => seesRule(ctx, catalogue, environment.id, rule))
    .map((rule) => {
      const shadow = shadows.get(rule.id);
      return {
        id: rule.id,
        name: rule.name,
        enabled: rule.enabled,
        region: rule.region,
        application: catalogue.applications.find((entry) => entry.id === rule.applicationId)?.name ?? null,
        channel: rule.channel as Channel | null,
        notificationType: rule.notificationType,
        notificationSubtype: rule.notificationSubtype,
        priority: rule.priority,
        specificity: specificity(rule),
        tiers: rule.tiers.map((tier) => presentTier(place, rule, tier, health)),
        shadowedBy: shadow ? { id: shadow.id, name: shadow.name } : null,
        editable: managesRule(ctx, catalogue, environment.id, rule),
        updatedAt: rule.updatedAt.toISOString(),
      };
    });
}

function conditionsKey(rule: StoredRule): string {
  return JSON.stringify([
    rule.region,
    rule.applicationId,
    rule.channel,
    rule.notificationType,
    rule.notificationSubtype,
  ]);
}

function presentTier(
  place: RulePlace,
  rule: StoredRule,
  tier: StoredRule["tiers"][number],
  health: HealthById,
): Rule["tiers"][number] {
  const total = tier.reduce((sum, member) => sum + member.weight, 0);
  return tier.map(({ connectionId, weight }) => {
    const connection = place.connections.get(connectionId);
    const visible = connection !== undefined && seesConnection(place.ctx, connection);
    const problem =
      connectionProblem(place, rule, connectionId) ??
      (connection?.enabled === false
        ? { code: "connection_disabled", detail: `"${connection.name}" is disabled` }
        : null);
    return {
      connectionId,
      name: visible ? connection.name : null,
      weight,
      share: total > 0 ? Math.round((weight / total) * 1_000) / 10 : 0,
      problem,
      health: visible ? healthOf(health, connectionId) : null,
    };
  });
}
