import { z } from "zod";
import { defineTask } from "../kernel/tasks.ts";

/** Answers a recipient's no, yes or call for help. */
export const postWordReply = defineTask(
  "post_word_reply",
  z.object({ tenantId: z.uuid(), replyId: z.uuid() }),
);
