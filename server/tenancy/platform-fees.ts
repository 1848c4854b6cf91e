import type { Prisma, Tx } from "../kernel/db.ts";

/** What the operator charges a tenant a message, which stays as it is until the transaction ends; null without a tenant. */
export async function lockPlatformFees(tx: Tx, tenantId: string): Promise<{ fees: unknown } | null> {
  const [row] = await tx.$queryRaw<{ fees: unknown }[]>`
    SELECT platform_fees AS fees FROM tenants WHERE id = ${tenantId}::uuid FOR UPDATE`;
  return row ?? null;
}

/** Stores what the operator charges a tenant a message; `server/costs` says what that looks like. */
export async function storePlatformFees(
  tx: Tx,
  tenantId: string,
  fees: Prisma.InputJsonValue,
): Promise<void> {
  // Not `update`, which reads back what some roles may not see.
  await tx.tenant.updateMany({ where: { id: tenantId }, data: { platformFees: fees } });
}
