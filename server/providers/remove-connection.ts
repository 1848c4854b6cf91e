import type { Tx } from "../kernel/db.ts";
import { deleteHealth } from "./queries.ts";

/** Removes a connection with its credentials and present health; what happened with it stays. */
export async function removeConnection(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.providerConnection.delete({ where: { tenantId_id: { tenantId, id } } });
  await deleteHealth(tx, tenantId, id);
}
