import type { Tx } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";

/**
 * Throws `conflict`, naming the promotion, while one that is pending or approved would move the template: it must be
 * decided first. Asks in the caller's transaction.
 */
export async function refuseOpenPromotion(tx: Tx, tenantId: string, templateId: string): Promise<void> {
  const item = await tx.promotionItem.findFirst({
    where: { tenantId, templateId, open: true },
    select: { promotionId: true, toEnvironmentId: true },
    orderBy: { promotionId: "asc" },
  });
  if (!item) return;
  const [environment] = await tx.$queryRaw<{ name: string }[]>`
    SELECT name FROM environment_facts WHERE tenant_id = ${tenantId}::uuid AND id = ${item.toEnvironmentId}::uuid`;
  throw new DomainError(
    "conflict",
    `The promotion ${item.promotionId} is about to bring this template to ${environment?.name ?? "another stage"}. Reject it or wait until it is deployed.`,
    { extra: { promotionId: item.promotionId } },
  );
}
