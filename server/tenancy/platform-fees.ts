import type { Prisma, Tx } from "../kernel/db.ts";

/** Stores what the operator charges a tenant a message; `server/costs` says what that looks like. */
export async function storePlatformFees(
  tx: Tx,
  tenantId: string,
  fees: Prisma.InputJsonValue,
): Promise<void> {
  await tx.tenant.update({ where: { id: tenantId }, data: { platformFees: fees } });
}
