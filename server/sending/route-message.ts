import type { ProviderConnection } from "../connections/load-connection.ts";
import { chooseRoute } from "../routing/choose-route.ts";
import type { Route, RouteFacts, RoutingRule } from "../routing/choose-route.ts";
import { routeOptions } from "../routing/route-options.ts";
import type { TenantResidency } from "../tenancy/residency.ts";

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
    tenant: TenantResidency;
  },
): Route {
  return chooseRoute(rules, connections, message.facts, routeOptions(message));
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

/** Where in its tiers' shares a message falls, in [0, 1): its own random bits, so that it stays the same on every try. */
export function spreadOf(notificationId: string): number {
  return Number.parseInt(notificationId.slice(-8), 16) / 0x1_0000_0000;
}
