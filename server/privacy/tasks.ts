import { z } from "zod";
import { defineTask } from "../kernel/tasks.ts";

/** Of one job, the last pause of which is 18 minutes; then the erasure gets another job. */
const maxAttempts = 8;

/** Goes on with an erasure: some of it, then another job for the rest. The addresses are sealed in its row. */
export const eraseRecipients = defineTask(
  "erase_recipients",
  z.object({ tenantId: z.uuid(), erasureId: z.uuid() }),
  { priority: 100, maxAttempts },
);
