import type { Tx } from "../kernel/db.ts";
import { ownsDomainOf } from "./queries.ts";

/** Whether the tenant has proven that the domain of an address is its own. */
export function hasProvenDomainOf(tx: Tx, tenantId: string, address: string): Promise<boolean> {
  return ownsDomainOf(tx, tenantId, address);
}
