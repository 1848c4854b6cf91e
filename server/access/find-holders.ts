import type { Tx } from "../kernel/db.ts";
import type { Permission } from "../operations/permissions.ts";
import { selectHolders } from "./queries.ts";

/**
 * The members who hold a permission in a unit, by a role there or in the whole tenant; without a unit, those who hold
 * it in the whole tenant. Disabled members are left out. At most `limit`, oldest members first. Runs in the caller's
 * transaction.
 */
export async function findHolders(
  tx: Tx,
  tenantId: string,
  where: { permission: Permission; unitId: string | null; limit: number },
): Promise<string[]> {
  return selectHolders(tx, tenantId, where);
}
