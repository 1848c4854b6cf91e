import type { Task } from "graphile-worker";
import type { z } from "zod";
import type { TaskDefinition } from "../../server/kernel/tasks.ts";

/**
 * A graphile-worker task that reads its payload by the definition's schema. Old jobs outlive new code, so what does not
 * parse is an error that keeps the job.
 */
export function taskFor<Payload extends z.ZodType>(
  definition: TaskDefinition<string, Payload>,
  handle: (payload: z.output<Payload>) => Promise<void>,
): Task {
  return async (payload) => {
    await handle(definition.payload.parse(payload));
  };
}
