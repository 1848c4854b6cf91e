import { z } from "zod";
import { defineRoute } from "../rest/define-route.ts";
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
  deliveryDetailSchema,
  deliveryListQuerySchema,
  deliveryListSchema,
  replayResultSchema,
  replaySchema,
  webhookCreateSchema,
  webhookDeliverySchema,
  webhookListQuerySchema,
  webhookListSchema,
  webhookSchema,
  webhookUpdateSchema,
  webhookWithSecretSchema,
} from "./schemas.ts";
import { sendTestEvent } from "./send-test-event.ts";
import { updateWebhookEndpoint } from "./update-webhook-endpoint.ts";

const id = z.uuid().meta({ description: "The webhook endpoint" });
const one = z.object({ id });
const oneDelivery = z.object({ id, deliveryId: z.uuid() });
const tags: [string] = ["Webhooks"];
const permission = "webhooks:manage";

export const createWebhookRoute = defineRoute({
  method: "POST",
  path: "/v1/webhooks",
  operationId: "createWebhook",
  summary: "Register a webhook endpoint",
  description:
    "Events of one application in the API key's environment are posted to the URL. The signing secret is shown in this answer only.",
  tags,
  permission,
  body: webhookCreateSchema,
  responses: { 201: { schema: webhookWithSecretSchema, description: "The endpoint with its secret" } },
  handler: async (ctx, { body }) => {
    const webhook = await createWebhookEndpoint(ctx, { ...body, environmentId: ctx.environmentId });
    return { status: 201, body: webhook, headers: { Location: `/v1/webhooks/${webhook.id}` } };
  },
});

export const listWebhooksRoute = defineRoute({
  method: "GET",
  path: "/v1/webhooks",
  operationId: "listWebhooks",
  summary: "List webhook endpoints",
  tags,
  permission,
  query: webhookListQuerySchema,
  responses: { 200: { schema: webhookListSchema, description: "One page, newest first" } },
  handler: async (ctx, { query }) => ({
    status: 200,
    body: await listWebhookEndpoints(ctx, { ...query, environmentId: ctx.environmentId }),
  }),
});

export const getWebhookRoute = defineRoute({
  method: "GET",
  path: "/v1/webhooks/{id}",
  operationId: "getWebhook",
  summary: "Get a webhook endpoint",
  tags,
  permission,
  params: one,
  responses: { 200: { schema: webhookSchema, description: "The endpoint, without its secret" } },
  handler: async (ctx, { params }) => ({ status: 200, body: await getWebhookEndpoint(ctx, params) }),
});

export const updateWebhookRoute = defineRoute({
  method: "PATCH",
  path: "/v1/webhooks/{id}",
  operationId: "updateWebhook",
  summary: "Change a webhook endpoint",
  tags,
  permission,
  params: one,
  body: webhookUpdateSchema,
  responses: { 200: { schema: webhookSchema, description: "The endpoint as it is now" } },
  handler: async (ctx, { params, body }) => ({
    status: 200,
    body: await updateWebhookEndpoint(ctx, { id: params.id, changes: body }),
  }),
});

export const deleteWebhookRoute = defineRoute({
  method: "DELETE",
  path: "/v1/webhooks/{id}",
  operationId: "deleteWebhook",
  summary: "Delete a webhook endpoint",
  tags,
  permission,
  params: one,
  responses: { 204: { description: "It is gone; what it was still owed is discarded" } },
  handler: async (ctx, { params }) => {
    await deleteWebhookEndpoint(ctx, params);
    return { status: 204 };
  },
});

export const rotateWebhookSecretRoute = defineRoute({
  method: "POST",
  path: "/v1/webhooks/{id}/rotate-secret",
  operationId: "rotateWebhookSecret",
  summary: "Rotate the signing secret",
  description:
    "For 24 hours the webhook-signature header carries a signature of each secret. The signature in the body is the new secret's at once.",
  tags,
  permission,
  params: one,
  responses: { 200: { schema: webhookWithSecretSchema, description: "The endpoint with its new secret" } },
  handler: async (ctx, { params }) => ({ status: 200, body: await rotateWebhookSecret(ctx, params) }),
});

export const listWebhookDeliveriesRoute = defineRoute({
  method: "GET",
  path: "/v1/webhooks/{id}/deliveries",
  operationId: "listWebhookDeliveries",
  summary: "List the deliveries of a webhook endpoint",
  tags,
  permission,
  params: one,
  query: deliveryListQuerySchema,
  responses: { 200: { schema: deliveryListSchema, description: "One page, newest first" } },
  handler: async (ctx, { params, query }) => ({
    status: 200,
    body: await listWebhookDeliveries(ctx, { ...query, id: params.id }),
  }),
});

export const getWebhookDeliveryRoute = defineRoute({
  method: "GET",
  path: "/v1/webhooks/{id}/deliveries/{deliveryId}",
  operationId: "getWebhookDelivery",
  summary: "Get a delivery with its attempts and body",
  tags,
  permission,
  params: oneDelivery,
  responses: { 200: { schema: deliveryDetailSchema, description: "The delivery" } },
  handler: async (ctx, { params }) => ({ status: 200, body: await getWebhookDelivery(ctx, params) }),
});

export const replayWebhookDeliveryRoute = defineRoute({
  method: "POST",
  path: "/v1/webhooks/{id}/deliveries/{deliveryId}/replay",
  operationId: "replayWebhookDelivery",
  summary: "Deliver an event again",
  tags,
  permission,
  params: oneDelivery,
  responses: { 202: { schema: webhookDeliverySchema, description: "It is pending again" } },
  handler: async (ctx, { params }) => ({ status: 202, body: await replayWebhookDelivery(ctx, params) }),
});

export const replayWebhooksRoute = defineRoute({
  method: "POST",
  path: "/v1/webhooks/{id}/replay",
  operationId: "replayFailedWebhooks",
  summary: "Deliver again what failed since a moment",
  tags,
  permission,
  params: one,
  body: replaySchema,
  responses: { 202: { schema: replayResultSchema, description: "How many are pending again" } },
  handler: async (ctx, { params, body }) => ({
    status: 202,
    body: await replayFailedWebhooks(ctx, { ...body, id: params.id }),
  }),
});

export const testWebhookRoute = defineRoute({
  method: "POST",
  path: "/v1/webhooks/{id}/test",
  operationId: "testWebhook",
  summary: "Send a test event",
  description: "Posts a webhook.test event, signed and logged like any other.",
  tags,
  permission,
  params: one,
  responses: { 202: { schema: webhookDeliverySchema, description: "The delivery to look at" } },
  handler: async (ctx, { params }) => ({ status: 202, body: await sendTestEvent(ctx, params) }),
});
