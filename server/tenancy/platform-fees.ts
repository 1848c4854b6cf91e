import type { Prisma, Tx } from "../kernel/db.ts";

/** Stores what the operator charges a tenant a message; `server/costs` says what that looks like. */
export async function storePlatformFees(
  tx: Tx,
  tenantId: string,
  fees: Prisma.InputJsonValue,
): Promise<void> {
  // Not `update`, which reads back what some roles may not see.
  await tx.tenant.updateMany({ where: { id: tenantId }, data: { platformFees: fees } });
}
