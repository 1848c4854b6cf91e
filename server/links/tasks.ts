import { z } from "zod";
import { defineTask } from "../kernel/tasks.ts";
import { linkProblemCodes } from "./services.ts";

/** Reports that a message went out with a long address. */
export const reportLinkProblemTask = defineTask(
  "report_link_problem",
  z.object({
    tenantId: z.uuid(),
    notificationId: z.uuid(),
    applicationId: z.uuid(),
    environmentId: z.uuid(),
    code: z.enum(linkProblemCodes),
    detail: z.string(),
  }),
);
