import type { ProviderConnection } from "../providers/load-connection.ts";
import { chooseRoute } from "../routing/choose-route.ts";
import type { Route, RouteFacts, RoutingRule } from "../routing/choose-route.ts";
import { allowedRegions } from "../tenancy/residency.ts";

/**
 * The connections for a message, best first. In the sandbox only the simulator is left, whatever the rules say: nothing
 * leaves. Connections outside the tenant's data region are left out unless its settings allow the transfer.
 */
export function routeMessage(
  rules: readonly RoutingRule[],
  connections: ReadonlyMap<string, ProviderConnection>,
  message: {
    facts: RouteFacts;
    sandbox: boolean;
    spread: number;
    tenant: { dataRegion: string; settings: unknown };
  },
): Route {
  const route = chooseRoute(rules, connections, message.facts, {
    spread: message.spread,
    allowedRegions: allowedRegions(message.tenant),
  });
  if (!message.sandbox) return route;
  const isSimulator = (connectionId: string) => connections.get(connectionId)?.adapter.name === "simulator";
  const left = route.candidates.filter((candidate) => !isSimulator(candidate.connectionId));
  return {
    ...route,
    candidates: route.candidates.filter((candidate) => isSimulator(candidate.connectionId)),
    excluded: [
      ...route.excluded,
      ...left.map((candidate) => ({
        ruleId: route.ruleId ?? "",
        connectionId: candidate.connectionId,
        name: candidate.name,
        why: "the sandbox reaches the simulator only",
      })),
    ],
  };
}

/** What routing has to know of a stored notification. */
export function routeFacts(row: {
  region: string;
  application_id: string;
  unit_id: string;
  channel: string;
  notification_type: string;
  notification_subtype: string;
}): RouteFacts {
  return {
    region: row.region,
    applicationId: row.application_id,
    unitId: row.unit_id,
    channel: row.channel,
    notificationType: row.notification_type,
    notificationSubtype: row.notification_subtype,
  };
}
