import type { Ctx } from "../kernel/ctx.ts";
import { notFound } from "../kernel/errors.ts";
import { isUuid } from "../kernel/ids.ts";
import { may } from "../operations/authorize.ts";
import { headersOf, mask, maskedNotification, signedBody, unsignedBody } from "./body.ts";
import { selectStoredDelivery } from "./delivery-queries.ts";
import type { StoredDelivery } from "./delivery-queries.ts";
import { managedEndpoint, scopeOf, toDelivery } from "./manage-endpoint.ts";
import { selectAttempts, selectDelivery } from "./queries.ts";
import type { DeliveryDetail } from "./schemas.ts";
import { openSigningSecret } from "./signing-secret.ts";

/**
 * One delivery with its attempts and its body as posted. Bodies and answers contain addresses, so without
 * content:reveal the address is masked, and answers and signatures are left out.
 */
export async function getWebhookDelivery(
  ctx: Ctx,
  input: { id: string; deliveryId: string },
): Promise<DeliveryDetail> {
  const endpoint = await managedEndpoint(ctx, input.id);
  if (!isUuid(input.deliveryId)) throw notFound();
  const [row, owed, attempts] = await Promise.all([
    selectDelivery(ctx, endpoint.id, input.deliveryId),
    selectStoredDelivery(ctx, input.deliveryId),
    selectAttempts(ctx, input.deliveryId),
  ]);
  if (!row || !owed) throw notFound();
  const reveal = may(ctx, "content:reveal", scopeOf(endpoint));
  return {
    ...toDelivery(row),
    body: reveal ? exactBody(owed) : maskedBody(owed),
    masked: !reveal,
    attemptLog: attempts.map((attempt) => ({
      number: attempt.number,
      startedAt: attempt.startedAt.toISOString(),
      durationMs: attempt.durationMs,
      status: attempt.status,
      error: attempt.error,
      responseBody: reveal ? attempt.responseBody : null,
      requestHeaders:
        attempt.signature === null
          ? null
          : headersOf({
              deliveryId: row.id,
              at: attempt.startedAt,
              signature: reveal ? attempt.signature : mask,
              traceparent: attempt.traceparent,
            }),
    })),
  };
}

function exactBody(owed: StoredDelivery): string | null {
  if (!owed.content || !owed.endpoint) return null;
  const secret = openSigningSecret(owed.tenantId, owed.dataKey, owed.endpointId, owed.endpoint.secret);
  return signedBody(owed.content, secret);
}

function maskedBody({ content }: StoredDelivery): string | null {
  if (!content) return null;
  if (content.notification)
    return unsignedBody({ ...content, notification: maskedNotification(content.notification) });
  // The members of other events are not known here; only their names are shown.
  const payload = Object.fromEntries(Object.keys(content.payload ?? {}).map((name) => [name, mask]));
  return unsignedBody({ ...content, payload });
}
