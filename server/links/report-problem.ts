import type { z } from "zod";
import { systemCtx } from "../access/system-ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { enqueueWebhookEvent } from "../webhooks/enqueue-webhook-event.ts";
import { saveProblem } from "./queries.ts";
import type { LinkProblem } from "./short-links.ts";
import { reportLinkProblemTask } from "./tasks.ts";

/** The job that reports a problem, to be committed with the attempt that it belongs to. */
export function linkProblemJob(
  message: { tenantId: string; id: string; applicationId: string; environmentId: string },
  problem: LinkProblem,
): { task: string; payload: z.input<typeof reportLinkProblemTask.payload> } {
  return {
    task: reportLinkProblemTask.name,
    payload: {
      tenantId: message.tenantId,
      notificationId: message.id,
      applicationId: message.applicationId,
      environmentId: message.environmentId,
      ...problem,
    },
  };
}

/**
 * Sends `processing.error` to the webhook endpoints that want it, and shows the problem with the shortener's settings.
 */
export async function reportLinkProblem(
  deps: { db: Db },
  payload: z.output<typeof reportLinkProblemTask.payload>,
): Promise<void> {
  const { tenantId, notificationId, applicationId, environmentId, code, detail } = payload;
  const ctx = systemCtx(deps.db, tenantId, "Short links");
  await inTenant(ctx, async (tx) => {
    await enqueueWebhookEvent(ctx, tx, {
      event: "processing.error",
      applicationId,
      environmentId,
      payload: { code, detail, notificationId },
    });
    await saveProblem(tx, { tenantId, environmentId }, detail, ctx.now());
  });
}
