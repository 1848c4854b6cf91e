import { z } from "zod";
import { jsonHash } from "../kernel/canonical-json.ts";
import { defineRoute } from "../rest/define-route.ts";
import { acceptSend } from "./accept-send.ts";
import { acceptedNotification } from "./accepted-notification.ts";
import { cancelNotification } from "./cancel-notification.ts";
import { explainSend } from "./explain-send.ts";
import { getNotification } from "./get-notification.ts";
import { listNotifications } from "./list-notifications.ts";
import { orderOfCreate, orderOfSend } from "./orders.ts";
import {
  explanationSchema,
  notificationCreateSchema,
  notificationListQuerySchema,
  notificationListSchema,
  notificationSchema,
  sendRequestSchema,
  sendResponseSchema,
  testSendSchema,
  testSentSchema,
} from "./schemas.ts";
import { sendTest } from "./send-test.ts";

const tags: [string] = ["Notifications"];
const replayedHeader = { "Idempotent-Replayed": "true" };
const id = z.object({ id: z.uuid() });

export const sendNotifications = defineRoute({
  method: "POST",
  path: "/api/app/notifications/send",
  operationId: "sendNotifications",
  summary: "Send one request to many recipients on several channels",
  description:
    "A 202 is a promise: the messages and their jobs are stored. The same transactionId again is answered with the first answer and `Idempotent-Replayed: true`.",
  tags,
  permission: "notifications:send",
  body: sendRequestSchema,
  responses: {
    202: { schema: sendResponseSchema, description: "Accepted, each recipient with its own result" },
  },
  handler: async (ctx, { body }) => {
    const accepted = await acceptSend(ctx, {
      order: orderOfSend(ctx.environmentId, body),
      source: "send",
      transactionId: body.transactionId,
      idempotency: { kind: "transaction", key: body.transactionId, bodyHash: jsonHash(body) },
    });
    return {
      status: 202,
      body: {
        requestId: accepted.requestId,
        transactionId: body.transactionId,
        notifications: accepted.notifications.map(({ reason, ...notification }) =>
          reason ? { ...notification, reason } : notification,
        ),
      },
      ...(accepted.replayed ? { headers: replayedHeader } : {}),
    };
  },
});

export const createNotification = defineRoute({
  method: "POST",
  path: "/v1/notifications",
  operationId: "createNotification",
  summary: "Send one message",
  tags,
  permission: "notifications:send",
  body: notificationCreateSchema,
  requestHeaders: z.object({
    "idempotency-key": z
      .string()
      .min(1)
      .max(255)
      .optional()
      .meta({ description: "Makes a repetition within 24 hours answer like the first request" }),
  }),
  responses: { 202: { schema: notificationSchema, description: "Accepted" } },
  handler: async (ctx, { body, headers }) => {
    const key = headers["idempotency-key"];
    const accepted = await acceptSend(ctx, {
      order: await orderOfCreate(ctx, ctx.environmentId, ctx.applicationId, body),
      source: "v1",
      transactionId: null,
      idempotency: key === undefined ? null : { kind: "idempotency", key, bodyHash: jsonHash(body) },
    });
    return {
      status: 202,
      body: await acceptedNotification(ctx, accepted),
      ...(accepted.replayed ? { headers: replayedHeader } : {}),
    };
  },
});

export const listNotificationsRoute = defineRoute({
  method: "GET",
  path: "/v1/notifications",
  operationId: "listNotifications",
  summary: "List notifications, newest first",
  tags,
  permission: "notifications:read",
  query: notificationListQuerySchema,
  responses: { 200: { schema: notificationListSchema, description: "A page" } },
  handler: async (ctx, { query }) => {
    const { status, createdFrom, createdTo, ...filter } = query;
    const body = await listNotifications(ctx, {
      ...filter,
      environmentId: ctx.environmentId,
      statuses: status === undefined ? undefined : Array.isArray(status) ? status : [status],
      createdFrom: createdFrom === undefined ? undefined : new Date(createdFrom),
      createdTo: createdTo === undefined ? undefined : new Date(createdTo),
    });
    return { status: 200, body };
  },
});

export const getNotificationRoute = defineRoute({
  method: "GET",
  path: "/v1/notifications/{id}",
  operationId: "getNotification",
  summary: "Get a notification with its events",
  tags,
  permission: "notifications:read",
  params: id,
  responses: { 200: { schema: notificationSchema, description: "The notification" } },
  handler: async (ctx, { params }) => ({ status: 200, body: await getNotification(ctx, params) }),
});

export const cancelNotificationRoute = defineRoute({
  method: "POST",
  path: "/v1/notifications/{id}/cancel",
  operationId: "cancelNotification",
  summary: "Cancel a scheduled or queued notification",
  tags,
  permission: "notifications:cancel",
  params: id,
  responses: { 200: { schema: notificationSchema, description: "Canceled" } },
  handler: async (ctx, { params }) => ({ status: 200, body: await cancelNotification(ctx, params) }),
});

export const explainNotification = defineRoute({
  method: "POST",
  path: "/v1/notifications/explain",
  operationId: "explainNotification",
  summary: "Say what a send would do, and why, without sending",
  description: "Takes the body of either send call.",
  tags,
  permission: "notifications:send",
  body: z.union([sendRequestSchema.partial({ transactionId: true }), notificationCreateSchema]),
  responses: { 200: { schema: explanationSchema, description: "What would happen" } },
  handler: async (ctx, { body }) => ({
    status: 200,
    body: await explainSend(
      ctx,
      "template" in body
        ? await orderOfCreate(ctx, ctx.environmentId, ctx.applicationId, body)
        : orderOfSend(ctx.environmentId, { transactionId: "", ...body }),
    ),
  }),
});

export const testTemplateRoute = defineRoute({
  method: "POST",
  path: "/v1/templates/{id}/tests",
  operationId: "testTemplate",
  summary: "Send a version to yourself",
  description:
    "Through the real route of the environment, live there or not. Recorded consent is not needed; an opt-out of the address and suppressions hold. A message that the provider takes counts as the version's successful test, which a stage may ask for before a promotion; the sandbox's simulator is no provider. At most 120 an hour.",
  tags: ["Templates"],
  permission: "notifications:send",
  params: z.object({ id: z.uuid().meta({ description: "The template" }) }),
  body: testSendSchema,
  responses: {
    202: { schema: testSentSchema, description: "Accepted; the notification tells what became of it" },
  },
  handler: async (ctx, { params, body }) => ({
    status: 202,
    body: await sendTest(ctx, {
      ...body,
      templateId: params.id,
      environment: body.environment ?? ctx.environmentId,
    }),
  }),
});
