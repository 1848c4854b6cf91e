import { jsonHash } from "../kernel/canonical-json.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import { acceptSend } from "../sending/accept-send.ts";
import type { SendOrder } from "../sending/plan-request.ts";

/**
 * Sends what the service itself says to one recipient, as an ordinary message of an application: once, however often the job runs,
 * as the message has the given id. Throws what is worth another try; a refusal for good is logged as `refused`.
 */
export async function sendOwnMessage(
  ctx: Ctx,
  { id, key, refused }: { id: string; key: string; refused: string },
  application: { id: string; name: string; unitId: string },
  order: Omit<SendOrder, "application">,
): Promise<void> {
  const { environmentId } = order;
  const place = { unitId: application.unitId, applicationId: application.id, environmentId };
  try {
    await acceptSend(
      { ...ctx, grants: [{ ...place, permissions: new Set(["notifications:send"]) }] },
      {
        order: { ...order, application: application.name },
        source: "portal",
        transactionId: null,
        idempotency: { kind: "idempotency", key: `${key}:${id}`, bodyHash: jsonHash(id) },
        firstMessageId: id,
      },
    );
  } catch (error) {
    if (!(error instanceof DomainError) || error.retryAfter !== undefined) throw error;
    ctx.log.warn({ tenantId: ctx.tenantId, notificationId: id, code: error.code }, refused);
  }
}
