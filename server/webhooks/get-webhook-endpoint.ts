import type { Ctx } from "../kernel/ctx.ts";
import { managedEndpoint, toWebhook } from "./manage-endpoint.ts";
import type { Webhook } from "./schemas.ts";

/** One endpoint, without its secret. */
export async function getWebhookEndpoint(ctx: Ctx, input: { id: string }): Promise<Webhook> {
  return toWebhook(await managedEndpoint(ctx, input.id), ctx.now());
}
