import { z } from "zod";
import { defineTask } from "../kernel/tasks.ts";

/** Asks an address whether it agrees. */
export const postConfirmation = defineTask(
  "post_confirmation",
  z.object({ tenantId: z.uuid(), messageId: z.uuid() }),
);
