import type { Ctx } from "../kernel/ctx.ts";
import { decodeCursor, toPage } from "../kernel/cursor.ts";
import { managedEndpoint, toDelivery } from "./manage-endpoint.ts";
import { selectDeliveries } from "./queries.ts";
import type { DeliveryListQuery, WebhookDelivery } from "./schemas.ts";

/** An endpoint's deliveries, newest first. */
export async function listWebhookDeliveries(
  ctx: Ctx,
  input: DeliveryListQuery & { id: string },
): Promise<{ data: WebhookDelivery[]; nextCursor: string | null }> {
  const endpoint = await managedEndpoint(ctx, input.id);
  const rows = await selectDeliveries(ctx, {
    endpointId: endpoint.id,
    state: input.state,
    event: input.event,
    before: decodeCursor(input.cursor) ?? null,
    limit: input.limit + 1,
  });
  return toPage(rows, input.limit, toDelivery);
}
