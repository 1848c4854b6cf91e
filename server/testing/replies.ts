import { runOnce } from "graphile-worker";
import { taskFor } from "../../worker/tasks/parse-payload.ts";
import { postConfirmation } from "../consent/tasks.ts";
import { sendConfirmation } from "../conversations/send-confirmation.ts";
import { sendWordReply } from "../conversations/send-word-reply.ts";
import { postWordReply } from "../conversations/tasks.ts";
import { logger } from "../kernel/log.ts";
import type { TestDatabase } from "./database.ts";
import type { SendingWorld } from "./sending-world.ts";

/** Runs the jobs of automatic replies and of double opt-in, then those of the messages that they made. */
export async function runReplies(
  { worker: db }: Pick<TestDatabase, "worker">,
  world: Pick<SendingWorld, "runJobs">,
): Promise<void> {
  const deps = { db, log: logger() };
  await runOnce({
    pgPool: db.pool,
    noHandleSignals: true,
    taskList: {
      [postWordReply.name]: taskFor(postWordReply, (payload) => sendWordReply(deps, payload)),
      [postConfirmation.name]: taskFor(postConfirmation, (payload) => sendConfirmation(deps, payload)),
    },
    concurrency: 4,
  });
  await world.runJobs();
}
