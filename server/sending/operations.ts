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
    summary: "Send one request to many recipients on several channels",
    description:
      "A 202 is a promise: the messages and their jobs are stored. One bad recipient never fails the others: an address that is not valid (`invalid_recipient`) or is named twice on a channel (`duplicate_recipient`), a channel without a template (`unknown_template`) and variables that do not fit (`missing_variable`, `invalid_variable`) are rejected messages with their reason beside the accepted ones; the answer is 422 only when no message is left. The same transactionId again is answered with the first answer and `Idempotent-Replayed: true`.",
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
        .meta({ description: "Makes a repetition within 24 hours answer like the first request" }),
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
      summary: "Cancel a notification that is scheduled, queued or waits for approval",
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
    summary: "Explain what a send would do, without sending",
    description: "Takes the body of either send call.",
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
      errors: [...sendErrors, "conflict"],
      summary: "Send a test of a template version",
      description:
        "Through the real route of the environment, live there or not. Recorded consent is not needed; an opt-out of the address and suppressions hold. A message that the provider takes counts as the version's successful test, which a stage may ask for before a promotion; the sandbox's simulator is no provider. At most 120 an hour.",
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
        description: "Accepted; the notification tells what became of it",
      },
    },
  }),
};
