import { allowedRegions } from "../tenancy/residency.ts";
import type { TenantResidency } from "../tenancy/residency.ts";
import type { RouteOptions } from "./choose-route.ts";

/**
 * Limits of the route besides the rules: the tenant's data residency, and in the sandbox that nothing leaves it.
 * `spread`: see RouteOptions.
 */
export function routeOptions(message: {
  sandbox: boolean;
  spread: number;
  tenant: TenantResidency;
}): RouteOptions {
  return {
    spread: message.spread,
    allowedRegions: allowedRegions(message.tenant),
    simulatorOnly: message.sandbox,
  };
}
