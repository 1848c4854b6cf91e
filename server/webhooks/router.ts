import { z } from "zod";
import { procedure, router } from "../trpc/init.ts";
import { createWebhookEndpoint } from "./create-webhook-endpoint.ts";
import { deleteWebhookEndpoint } from "./delete-webhook-endpoint.ts";
import { getWebhookDelivery } from "./get-webhook-delivery.ts";
import { getWebhookEndpoint } from "./get-webhook-endpoint.ts";
import { listWebhookDeliveries } from "./list-webhook-deliveries.ts";
import { listWebhookEndpoints } from "./list-webhook-endpoints.ts";
import { replayFailedWebhooks } from "./replay-failed-webhooks.ts";
import { replayWebhookDelivery } from "./replay-webhook-delivery.ts";
import { rotateWebhookSecret } from "./rotate-webhook-secret.ts";
import {
  deliveryListQuerySchema,
  replaySchema,
  webhookCreateSchema,
  webhookListQuerySchema,
  webhookUpdateSchema,
} from "./schemas.ts";
import { sendTestEvent } from "./send-test-event.ts";
import { updateWebhookEndpoint } from "./update-webhook-endpoint.ts";

const managed = procedure.meta({ permission: "webhooks:manage" });
const environment = { environmentId: z.uuid() };
const one = z.object({ id: z.uuid() });
const oneDelivery = z.object({ id: z.uuid(), deliveryId: z.uuid() });

/** Webhook endpoints and their log, for the portal. */
export const webhooksRouter = router({
  list: managed
    .input(webhookListQuerySchema.extend(environment))
    .query(({ ctx, input }) => listWebhookEndpoints(ctx.tidings, input)),
  get: managed.input(one).query(({ ctx, input }) => getWebhookEndpoint(ctx.tidings, input)),
  create: managed
    .input(webhookCreateSchema.extend(environment))
    .mutation(({ ctx, input }) => createWebhookEndpoint(ctx.tidings, input)),
  update: managed
    .input(one.extend({ changes: webhookUpdateSchema }))
    .mutation(({ ctx, input }) => updateWebhookEndpoint(ctx.tidings, input)),
  delete: managed.input(one).mutation(({ ctx, input }) => deleteWebhookEndpoint(ctx.tidings, input)),
  rotateSecret: managed.input(one).mutation(({ ctx, input }) => rotateWebhookSecret(ctx.tidings, input)),
  test: managed.input(one).mutation(({ ctx, input }) => sendTestEvent(ctx.tidings, input)),
  deliveries: managed
    .input(deliveryListQuerySchema.extend({ id: z.uuid() }))
    .query(({ ctx, input }) => listWebhookDeliveries(ctx.tidings, input)),
  delivery: managed.input(oneDelivery).query(({ ctx, input }) => getWebhookDelivery(ctx.tidings, input)),
  replayDelivery: managed
    .input(oneDelivery)
    .mutation(({ ctx, input }) => replayWebhookDelivery(ctx.tidings, input)),
  replayFailed: managed
    .input(replaySchema.extend({ id: z.uuid() }))
    .mutation(({ ctx, input }) => replayFailedWebhooks(ctx.tidings, input)),
});
