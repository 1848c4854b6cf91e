import type { Tx } from "../kernel/db.ts";
import type { Permission } from "../operations/permissions.ts";
import { selectHolders, selectNames, selectSignable } from "./queries.ts";

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

/** The names of those who hold a permission in the whole tenant, as findHolders finds them. Runs in the caller's transaction. */
export async function nameHolders(
  tx: Tx,
  tenantId: string,
  where: { permission: Permission; limit: number },
): Promise<string[]> {
  return selectNames(tx, tenantId, await selectHolders(tx, tenantId, { ...where, unitId: null }));
}

/** Names and addresses of those of these people who are members and may sign in. Runs in the caller's transaction. */
export function findMembers(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
): Promise<{ id: string; name: string; email: string }[]> {
  return selectSignable(tx, tenantId, ids);
}
