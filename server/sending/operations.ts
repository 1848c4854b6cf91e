import { z } from "zod";
import { jsonHash } from "../kernel/canonical-json.ts";
import { mutation, query, restOnly } from "../operations/operation.ts";
import { acceptSend } from "./accept-send.ts";
import { acceptedNotification } from "./accepted-notification.ts";
import { cancelNotification, cancelNotifications } from "./cancel-notification.ts";
import { explainSend } from "./explain-send.ts";
import { getNotification } from "./get-notification.ts";
import { getTimeline } from "./get-timeline.ts";
import { countMessages, listNotifications } from "./list-notifications.ts";
import { currentOutage } from "./outage.ts";
import { orderOfCreate, orderOfSend } from "./orders.ts";
import type { SendOrder } from "./plan-request.ts";
import { resendNotifications } from "./resend-notifications.ts";
import {
  cancelSeveralSchema,
  explanationSchema,
  notificationCreateSchema,
  notificationListQuerySchema,
  notificationListSchema,
  notificationSchema,
  portalCountSchema,
  portalListSchema,
  portalSendSchema,
  resendSeveralSchema,
  sendRequestSchema,
  sendResponseSchema,
  testSendSchema,
  testSentSchema,
} from "./schemas.ts";
import { sendTest } from "./send-test.ts";

/** What a request to send may be refused for. */
const sendErrors = [
  "agent_limit",
  "environment_mismatch",
  "unknown_application",
  "unknown_notification_type",
  "unknown_template",
  "missing_variable",
  "invalid_variable",
  "unknown_contact_group",
  "sender_not_allowed",
] as const;
const tag = "Notifications";
const read = "notifications:read";
const send = "notifications:send";
const anyId = z.object({ id: z.string().max(64) });
const one = z.object({ id: z.uuid() });

/** Whether an answer repeats the first one to the same request; not part of the body, as JSON has no symbols. */
const replayed = Symbol("replayed");
const replayedHeader = (answer: { [replayed]: boolean }): Record<string, string> =>
  answer[replayed] ? { "Idempotent-Replayed": "true" } : {};

function orderOf(input: Omit<z.output<typeof portalSendSchema>, "idempotencyKey">): SendOrder {
  return {
    environmentId: input.environmentId,
    application: input.application,
    notification: { type: input.notificationType, subtype: input.notificationSubtype },
    region: input.region,
    language: input.language,
    recipients: input.recipients,
    templateVariables: [input.variables],
    scheduledAt: input.scheduledAt,
  };
}

const dateOf = (instant: string | undefined) => (instant === undefined ? undefined : new Date(instant));

/** Messages: sending them, following them, and explaining sends in advance. */
export const notificationOperations = {
  restSend: restOnly({
    permission: send,
    method: "POST",
    path: "/api/app/notifications/send",
    operationId: "sendNotifications",
    errors: sendErrors,
    summary: "Send to one or more recipients",
    description:
      "Sends messages on several channels at once. A 202 answer means that the messages are stored and will be sent. One bad recipient never fails the others: an invalid address (`invalid_recipient`), a duplicate (`duplicate_recipient`), a channel without a template (`unknown_template`) or wrong variables (`missing_variable`, `invalid_variable`) reject only that message. The answer is 422 only if no message is left. Repeating a transactionId returns the first answer with `Idempotent-Replayed: true`.",
    tag,
    body: sendRequestSchema,
    run: async (ctx, { body }) => {
      const accepted = await acceptSend(ctx, {
        order: orderOfSend(ctx.environmentId, body),
        source: "send",
        transactionId: body.transactionId,
        idempotency: { kind: "transaction", key: body.transactionId, bodyHash: jsonHash(body) },
      });
      return {
        requestId: accepted.requestId,
        transactionId: body.transactionId,
        notifications: accepted.notifications.map(({ reason, ...notification }) =>
          reason ? { ...notification, reason } : notification,
        ),
        ...(accepted.groups && {
          groups: accepted.groups.map(({ name, channels, contacts }) => ({
            group: name,
            channels,
            contacts,
          })),
        }),
        [replayed]: accepted.replayed,
      };
    },
    answer: {
      status: 202,
      schema: sendResponseSchema,
      description: "Accepted, each recipient with its own result",
      headers: (answer) => replayedHeader(answer),
    },
  }),
  restCreate: restOnly({
    permission: send,
    method: "POST",
    path: "/v1/notifications",
    operationId: "createNotification",
    errors: sendErrors,
    summary: "Send one message",
    tag,
    body: notificationCreateSchema,
    requestHeaders: z.object({
      "idempotency-key": z
        .string()
        .min(1)
        .max(255)
        .optional()
        .meta({ description: "Repeating the request within 24 hours returns the first answer" }),
    }),
    run: async (ctx, { body, headers }) => {
      const key = headers["idempotency-key"];
      const accepted = await acceptSend(ctx, {
        order: await orderOfCreate(ctx, ctx.environmentId, ctx.applicationId, body),
        source: "v1",
        transactionId: null,
        idempotency: key === undefined ? null : { kind: "idempotency", key, bodyHash: jsonHash(body) },
      });
      return { ...(await acceptedNotification(ctx, accepted)), [replayed]: accepted.replayed };
    },
    answer: {
      status: 202,
      schema: notificationSchema,
      description: "Accepted",
      headers: (answer) => replayedHeader(answer),
    },
  }),
  send: mutation({
    permission: send,
    input: portalSendSchema,
    run: async (ctx, input) => {
      const { requestId, notifications } = await acceptSend(ctx, {
        order: orderOf(input),
        source: "portal",
        transactionId: null,
        idempotency: { kind: "idempotency", key: input.idempotencyKey, bodyHash: jsonHash(input) },
      });
      return { requestId, notifications };
    },
  }),
  restList: restOnly({
    permission: read,
    method: "GET",
    path: "/v1/notifications",
    operationId: "listNotifications",
    summary: "List notifications, newest first",
    tag,
    query: notificationListQuerySchema,
    run: (ctx, { query: { status, createdFrom, createdTo, ...filter } }) =>
      listNotifications(ctx, {
        ...filter,
        environmentId: ctx.environmentId,
        statuses: typeof status === "string" ? [status] : status,
        createdFrom: dateOf(createdFrom),
        createdTo: dateOf(createdTo),
      }),
    answer: { status: 200, schema: notificationListSchema, description: "A page" },
  }),
  list: query({
    permission: read,
    input: portalListSchema,
    run: (ctx, { createdFrom, createdTo, ...filter }) =>
      listNotifications(ctx, { ...filter, createdFrom: dateOf(createdFrom), createdTo: dateOf(createdTo) }),
  }),
  count: query({
    permission: read,
    input: portalCountSchema,
    run: (ctx, { createdFrom, createdTo, ...filter }) =>
      countMessages(ctx, { ...filter, createdFrom: dateOf(createdFrom), createdTo: dateOf(createdTo) }),
  }),
  get: restOnly({
    permission: read,
    method: "GET",
    path: "/v1/notifications/{id}",
    operationId: "getNotification",
    summary: "Get a notification with its events",
    tag,
    params: one,
    run: (ctx, { params }) => getNotification(ctx, params),
    answer: { status: 200, schema: notificationSchema, description: "The notification" },
  }),
  timeline: query({ permission: read, input: anyId, run: getTimeline }),
  outage: query({
    permission: "providers:read",
    input: z.object({ environmentId: z.uuid() }),
    run: currentOutage,
  }),
  cancel: mutation({
    permission: "notifications:cancel",
    input: anyId,
    run: cancelNotification,
    rest: {
      method: "POST",
      path: "/v1/notifications/{id}/cancel",
      operationId: "cancelNotification",
      errors: ["conflict"],
      summary: "Cancel a notification",
      tag,
      params: one,
      answer: { status: 200, schema: notificationSchema, description: "Canceled" },
    },
  }),
  cancelSeveral: mutation({
    permission: "notifications:cancel",
    input: cancelSeveralSchema,
    run: cancelNotifications,
  }),
  resendSeveral: mutation({ permission: send, input: resendSeveralSchema, run: resendNotifications }),
  restExplain: restOnly({
    permission: send,
    method: "POST",
    path: "/v1/notifications/explain",
    operationId: "explainNotification",
    errors: sendErrors,
    summary: "Explain a send without sending",
    description:
      "Takes the body of either send operation. Shows the template, route, consent, quiet hours, size and cost.",
    tag,
    body: z.union([sendRequestSchema.partial({ transactionId: true }), notificationCreateSchema]),
    run: async (ctx, { body }) =>
      explainSend(
        ctx,
        "template" in body
          ? await orderOfCreate(ctx, ctx.environmentId, ctx.applicationId, body)
          : orderOfSend(ctx.environmentId, { transactionId: "", ...body }),
      ),
    answer: { status: 200, schema: explanationSchema, description: "What would happen" },
  }),
  explain: query({
    permission: send,
    input: portalSendSchema.omit({ idempotencyKey: true }),
    run: (ctx, input) => explainSend(ctx, orderOf(input)),
  }),
  /** A version to oneself; outside production templates:write is enough. */
  sendTest: mutation({
    permission: [send, "templates:write"],
    input: testSendSchema.extend({ templateId: z.uuid() }),
    run: sendTest,
    rest: {
      method: "POST",
      path: "/v1/templates/{id}/tests",
      operationId: "testTemplate",
      idempotencyKey: true,
      errors: [...sendErrors, "conflict"],
      summary: "Send a test of a template version",
      description:
        "Uses the real route of the environment, whether the version is live there or not. No consent is needed, but opt-outs and suppressions apply. A message that the provider accepts counts as the version's successful test, which a stage can require before a promotion. Tests through the simulator don't count. At most 120 per hour.",
      tag: "Templates",
      params: z.object({ id: z.uuid().meta({ description: "The template" }) }),
      body: testSendSchema,
      input: ({ environmentId }, { params, body }) => ({
        ...body,
        templateId: params.id,
        environment: body.environment ?? environmentId,
      }),
      answer: {
        status: 202,
        schema: testSentSchema,
        description: "Accepted. Follow the notification for its status",
      },
    },
  }),
};
