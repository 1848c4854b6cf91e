import { z } from "zod";
import { defineTask } from "../kernel/tasks.ts";

/** One delivery. accept_sends() and advance_notifications() add this job too, under the same name. */
export const deliverWebhook = defineTask(
  "deliver_webhook",
  z.object({ tenantId: z.uuid(), deliveryId: z.uuid() }),
);
