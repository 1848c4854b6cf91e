import { z } from "zod";
import { defineTask } from "../kernel/tasks.ts";

/** Counts a group that is a filter: for some seconds, then another job goes on. */
export const countContactGroup = defineTask(
  "count_contact_group",
  z.object({ tenantId: z.uuid(), groupId: z.uuid() }),
);
