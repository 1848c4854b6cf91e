import type { Tx } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";

/**
 * Throws `conflict`, naming the promotion, while a pending or approved one would move the template: it must be decided
 * first. Runs in the caller's transaction.
 */
export async function refuseOpenPromotion(tx: Tx, tenantId: string, templateId: string): Promise<void> {
  const [move] = await tx.$queryRaw<{ promotionId: string; environment: string | null }[]>`
    SELECT m.promotion_id AS "promotionId", e.name AS environment FROM promotion_moves m
    LEFT JOIN environment_facts e ON e.tenant_id = m.tenant_id AND e.id = m.to_environment_id
    WHERE m.tenant_id = ${tenantId}::uuid AND m.template_id = ${templateId}::uuid AND m.open
    ORDER BY m.promotion_id LIMIT 1`;
  if (!move) return;
  throw new DomainError(
    "conflict",
    `The promotion ${move.promotionId} is about to bring this template to ${move.environment ?? "another stage"}. Reject it or wait until it is deployed.`,
    { extra: { promotionId: move.promotionId } },
  );
}
