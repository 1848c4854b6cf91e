import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";

/**
 * Writes the first rule of an environment that is being set up, in the caller's transaction: everything, or one channel,
 * goes over one connection. Whoever changes the rules later finds it as what was there before the first change.
 */
export async function insertFirstRule(
  ctx: Ctx,
  tx: Tx,
  rule: { environmentId: string; name: string; channel?: string; connectionId: string },
): Promise<void> {
  const id = newId();
  const tiers = [[{ connectionId: rule.connectionId, weight: 100 }]];
  await tx.routingRule.create({
    data: {
      tenantId: ctx.tenantId,
      id,
      environmentId: rule.environmentId,
      name: rule.name,
      channel: rule.channel ?? null,
      tiers,
      createdAt: ctx.now(),
      updatedAt: ctx.now(),
    },
  });
  await recordAudit(ctx, tx, {
    action: "routing.changed",
    targetType: "routing_rules",
    targetId: rule.environmentId,
    environmentId: rule.environmentId,
    data: {
      revision: 0,
      summary: `Added rule ${rule.name}`,
      rules: [{ kind: "added", ruleId: id, name: rule.name }],
    },
    after: { [rule.name]: { channel: rule.channel ?? null, tiers } },
  });
}
