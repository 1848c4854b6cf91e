import { addressTokens } from "../audit/address-token.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { authorize } from "../operations/authorize.ts";
import { enqueueWebhookEvents } from "../webhooks/enqueue-webhook-event.ts";
import { isToken } from "./address-token.ts";
import { ledgerOf } from "./ledger-place.ts";
import { deleteSuppression, lockSuppression } from "./suppression-queries.ts";
import type { SuppressionRemoval } from "./schemas.ts";

/**
 * Lets an address be written to again, which needs consent:write for the whole organisation. Who called a message spam is written to again only for a reason. Throws `agent_limit` for an
 * agent: what it has read is nobody's yes.
 */
export async function removeSuppression(ctx: Ctx, input: SuppressionRemoval): Promise<void> {
  const { environmentId, id, reason } = input;
  const { sandbox } = await ledgerOf(ctx, "consent:write", environmentId);
  // It may come from another team's message.
  authorize(ctx, "consent:write", { environmentId });
  if (ctx.actor.type === "apiKey" && ctx.actor.agent) {
    throw new DomainError("agent_limit", "Agents can't remove suppressions.");
  }
  const tokenOf = await addressTokens(ctx);
  await inTenant(ctx, async (tx) => {
    const known = await lockSuppression(tx, ctx.tenantId, sandbox, id);
    if (!known) throw notFound();
    if (known.reason === "complaint" && reason === undefined) {
      throw new DomainError(
        "invalid_request",
        "The recipient complained. Say why the suppression can be removed.",
        {
          errors: [{ pointer: "/reason", code: "required", detail: "Needed for a complaint" }],
        },
      );
    }
    await deleteSuppression(tx, ctx.tenantId, id);
    const { channel, address, notificationId, expiresAt, madeBy } = known;
    const erased = isToken(address);
    await enqueueWebhookEvents(ctx, tx, [
      {
        event: "suppression.removed",
        applicationId: null,
        environmentId: null,
        sandbox,
        payload: {
          suppressionId: id,
          channel,
          // Of who was erased nothing is said.
          address: erased ? null : address,
          reason: known.reason,
          notificationId,
          expiresAt: expiresAt?.toISOString() ?? null,
          at: ctx.now().toISOString(),
        },
      },
    ]);
    await recordAudit(ctx, tx, {
      action: "suppression.removed",
      targetType: "suppression",
      targetId: id,
      environmentId,
      before: { channel, reason: known.reason, expiresAt, madeBy },
      data: { address: erased ? null : tokenOf(address), ...(reason === undefined ? {} : { reason }) },
    });
  });
}
