import { z } from "zod";
import { jsonHash } from "../kernel/canonical-json.ts";
import { procedure, router } from "../trpc/init.ts";
import { acceptSend } from "./accept-send.ts";
import { cancelNotification } from "./cancel-notification.ts";
import { explainSend } from "./explain-send.ts";
import { getTimeline } from "./get-timeline.ts";
import { listNotifications } from "./list-notifications.ts";
import type { SendOrder } from "./plan-request.ts";
import { portalListSchema, portalSendSchema, testSendSchema } from "./schemas.ts";
import { sendTest } from "./send-test.ts";

const id = z.object({ id: z.string().max(64) });

function orderOf(input: z.output<typeof portalSendSchema>): SendOrder {
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

export const notificationsRouter = router({
  list: procedure
    .meta({ permissions: ["notifications:read"] })
    .input(portalListSchema)
    .query(({ ctx, input }) =>
      listNotifications(ctx.tidings, {
        ...input,
        createdFrom: input.createdFrom === undefined ? undefined : new Date(input.createdFrom),
        createdTo: input.createdTo === undefined ? undefined : new Date(input.createdTo),
      }),
    ),
  timeline: procedure
    .meta({ permissions: ["notifications:read"] })
    .input(id)
    .query(({ ctx, input }) => getTimeline(ctx.tidings, input)),
  cancel: procedure
    .meta({ permissions: ["notifications:cancel"] })
    .input(id)
    .mutation(({ ctx, input }) => cancelNotification(ctx.tidings, input)),
  explain: procedure
    .meta({ permissions: ["notifications:send"] })
    .input(portalSendSchema.omit({ idempotencyKey: true }))
    .query(({ ctx, input }) => explainSend(ctx.tidings, orderOf({ ...input, idempotencyKey: "" }))),
  /** A version to oneself; outside production templates:write is enough. */
  sendTest: procedure
    .meta({ permissions: ["notifications:send"] })
    .input(testSendSchema.extend({ templateId: z.uuid() }))
    .mutation(({ ctx, input }) => sendTest(ctx.tidings, input)),
  send: procedure
    .meta({ permissions: ["notifications:send"] })
    .input(portalSendSchema)
    .mutation(async ({ ctx, input }) => {
      const { requestId, notifications } = await acceptSend(ctx.tidings, {
        order: orderOf(input),
        source: "portal",
        transactionId: null,
        idempotency: { kind: "idempotency", key: input.idempotencyKey, bodyHash: jsonHash(input) },
      });
      return { requestId, notifications };
    }),
});
