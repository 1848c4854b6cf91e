import { z } from "zod";
import { defineTask } from "../kernel/tasks.ts";

/** Posts the callback that tells of what somebody did in place of a recipient. */
export const postRecipientAction = defineTask(
  "post_recipient_action",
  z.object({
    tenantId: z.uuid(),
    notificationId: z.uuid(),
    connectionId: z.uuid(),
    attempt: z.int(),
    /** The same when the job is run again. */
    actionId: z.uuid(),
    /** SimulatedAction as JSON, sealed: it holds a text. */
    sealed: z.string(),
  }),
);
