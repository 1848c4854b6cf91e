import type { ProviderConnection } from "../connections/load-connection.ts";
import { chooseRoute } from "../routing/choose-route.ts";
import type { Route, RouteFacts, RoutingRule } from "../routing/choose-route.ts";
import { routeOptions } from "../routing/route-options.ts";
import type { TenantResidency } from "../tenancy/residency.ts";

/**
 * The connections for a message, best first. In the sandbox only the simulator is used, whatever the rules say: no
 * message leaves it. Connections outside the tenant's data region are left out unless its settings allow the transfer.
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

/**
 * The position of a message in the shares of its tiers, in [0, 1): from its id, so that it is the same on every
 * attempt.
 */
export function spreadOf(notificationId: string): number {
  return Number.parseInt(notificationId.slice(-8), 16) / 0x1_0000_0000;
}
