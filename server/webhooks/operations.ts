import { z } from "zod";
import { mutation, query, restOnly } from "../operations/operation.ts";
import { createWebhookEndpoint } from "./create-webhook-endpoint.ts";
import { deleteWebhookEndpoint } from "./delete-webhook-endpoint.ts";
import { feedPageSchema, feedQuerySchema } from "./feed-schemas.ts";
import { getWebhookDelivery } from "./get-webhook-delivery.ts";
import { getWebhookEndpoint } from "./get-webhook-endpoint.ts";
import { listEvents } from "./list-events.ts";
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
  successRatesInputSchema,
  webhookCreateSchema,
  webhookDeliverySchema,
  webhookListQuerySchema,
  webhookListSchema,
  webhookSchema,
  webhookUpdateSchema,
  webhookWithSecretSchema,
} from "./schemas.ts";
import { webhookSuccessRates } from "./success-rates.ts";
import { sendTestEvent } from "./send-test-event.ts";
import { updateWebhookEndpoint } from "./update-webhook-endpoint.ts";

const environment = { environmentId: z.uuid() };
const id = z.uuid().meta({ description: "The webhook endpoint" });
const one = z.object({ id });
const oneDelivery = z.object({ id, deliveryId: z.uuid() });
const tag = "Webhooks";
const permission = "webhooks:manage";

/** Webhook endpoints and their delivery log. */
export const webhookOperations = {
  list: query({
    permission,
    input: webhookListQuerySchema.extend({ ...environment, unitId: z.uuid().optional() }),
    run: listWebhookEndpoints,
    rest: {
      method: "GET",
      path: "/v1/webhooks",
      operationId: "listWebhooks",
      summary: "List webhook endpoints",
      tag,
      query: webhookListQuerySchema,
      input: ({ environmentId }, parts) => ({ ...parts.query, environmentId }),
      answer: { status: 200, schema: webhookListSchema, description: "One page, newest first" },
    },
  }),
  get: query({
    permission,
    input: one,
    run: getWebhookEndpoint,
    rest: {
      method: "GET",
      path: "/v1/webhooks/{id}",
      operationId: "getWebhook",
      summary: "Get a webhook endpoint",
      tag,
      params: one,
      answer: { status: 200, schema: webhookSchema, description: "The endpoint, without its secret" },
    },
  }),
  successRates: query({ permission, input: successRatesInputSchema, run: webhookSuccessRates }),
  create: mutation({
    permission,
    input: webhookCreateSchema.extend(environment),
    run: createWebhookEndpoint,
    rest: {
      method: "POST",
      path: "/v1/webhooks",
      operationId: "createWebhook",
      idempotencyKey: true,
      errors: ["conflict", "forbidden_address", "unknown_application"],
      summary: "Create a webhook endpoint",
      description:
        "Events of one application in the API key's environment are posted to the URL. The signing secret is only returned here.",
      tag,
      body: webhookCreateSchema,
      input: ({ environmentId }, { body }) => ({ ...body, environmentId }),
      answer: {
        status: 201,
        schema: webhookWithSecretSchema,
        description: "The endpoint with its secret",
        headers: (webhook) => ({ Location: `/v1/webhooks/${webhook.id}` }),
      },
    },
  }),
  update: mutation({
    permission,
    input: one.extend({ changes: webhookUpdateSchema }),
    run: updateWebhookEndpoint,
    rest: {
      method: "PATCH",
      path: "/v1/webhooks/{id}",
      operationId: "updateWebhook",
      errors: ["conflict", "forbidden_address"],
      summary: "Change a webhook endpoint",
      tag,
      params: one,
      body: webhookUpdateSchema,
      input: (_ctx, { params, body }) => ({ id: params.id, changes: body }),
      answer: { status: 200, schema: webhookSchema, description: "The endpoint as it is now" },
    },
  }),
  delete: mutation({
    permission,
    input: one,
    run: deleteWebhookEndpoint,
    rest: {
      method: "DELETE",
      path: "/v1/webhooks/{id}",
      operationId: "deleteWebhook",
      summary: "Delete a webhook endpoint",
      tag,
      params: one,
      answer: { status: 204, description: "Deleted; deliveries that were still pending are discarded" },
    },
  }),
  rotateSecret: mutation({
    permission,
    input: one,
    run: rotateWebhookSecret,
    rest: {
      method: "POST",
      path: "/v1/webhooks/{id}/rotate-secret",
      operationId: "rotateWebhookSecret",
      idempotencyKey: true,
      summary: "Rotate the signing secret",
      description:
        "For 24 hours, the webhook-signature header contains a signature with the old secret as well, also when you rotate again in that time. The signature in the body uses the new secret immediately.",
      tag,
      params: one,
      answer: {
        status: 200,
        schema: webhookWithSecretSchema,
        description: "The endpoint with its new secret",
      },
    },
  }),
  test: mutation({
    permission,
    input: one,
    run: sendTestEvent,
    rest: {
      method: "POST",
      path: "/v1/webhooks/{id}/test",
      operationId: "testWebhook",
      idempotencyKey: true,
      errors: ["conflict"],
      summary: "Send a test event",
      description: "Posts a webhook.test event, signed and logged like any other.",
      tag,
      params: one,
      answer: { status: 202, schema: webhookDeliverySchema, description: "The delivery" },
    },
  }),
  deliveries: query({
    permission,
    input: deliveryListQuerySchema.extend({ id }),
    run: listWebhookDeliveries,
    rest: {
      method: "GET",
      path: "/v1/webhooks/{id}/deliveries",
      operationId: "listWebhookDeliveries",
      summary: "List the deliveries of a webhook endpoint",
      tag,
      params: one,
      query: deliveryListQuerySchema,
      answer: { status: 200, schema: deliveryListSchema, description: "One page, newest first" },
    },
  }),
  delivery: query({
    permission,
    input: oneDelivery,
    run: getWebhookDelivery,
    rest: {
      method: "GET",
      path: "/v1/webhooks/{id}/deliveries/{deliveryId}",
      operationId: "getWebhookDelivery",
      summary: "Get a delivery with its attempts and body",
      tag,
      params: oneDelivery,
      answer: { status: 200, schema: deliveryDetailSchema, description: "The delivery" },
    },
  }),
  replayDelivery: mutation({
    permission,
    input: oneDelivery,
    run: replayWebhookDelivery,
    rest: {
      method: "POST",
      path: "/v1/webhooks/{id}/deliveries/{deliveryId}/replay",
      operationId: "replayWebhookDelivery",
      errors: ["conflict"],
      summary: "Replay a delivery",
      description:
        "Posts it again, with a fresh schedule. One that is waiting for its next attempt is attempted at once and keeps its schedule.",
      tag,
      params: oneDelivery,
      answer: { status: 202, schema: webhookDeliverySchema, description: "It is pending again" },
    },
  }),
  replayFailed: mutation({
    permission,
    input: replaySchema.extend({ id }),
    run: replayFailedWebhooks,
    rest: {
      method: "POST",
      path: "/v1/webhooks/{id}/replay",
      operationId: "replayFailedWebhooks",
      errors: ["conflict"],
      summary: "Replay failed deliveries since a given time",
      tag,
      params: one,
      body: replaySchema,
      answer: { status: 202, schema: replayResultSchema, description: "Number of deliveries pending again" },
    },
  }),
  events: restOnly({
    permission: "events:read",
    method: "GET",
    path: "/v1/events",
    operationId: "listEvents",
    errors: ["cursor_expired"],
    summary: "Read events, oldest first",
    description:
      "Everything of the last 30 days that webhooks report of the API key's environment, with or without a webhook endpoint, in the order in which it was recorded. Go on with `nextCursor`, also when nothing is there yet: no event is missed or repeated. Without `content:reveal`, addresses and texts are masked.",
    tag: "Events",
    query: feedQuerySchema,
    run: (ctx, { query: asked }) => listEvents(ctx, asked),
    answer: { status: 200, schema: feedPageSchema, description: "One page" },
  }),
};
