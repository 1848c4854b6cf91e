import { z } from "zod";
import { defineTask } from "../kernel/tasks.ts";

/** Posts the callback of an action in place of a recipient. */
export const postRecipientAction = defineTask(
  "post_recipient_action",
  z.object({
    tenantId: z.uuid(),
    notificationId: z.uuid(),
    connectionId: z.uuid(),
    attempt: z.int(),
    /** The same on every run of the job. */
    actionId: z.uuid(),
    /** SimulatedAction as JSON, sealed: it contains a text. */
    sealed: z.string(),
  }),
);
