import type { Task } from "graphile-worker";
import type { z } from "zod";
import type { TaskDefinition } from "../../server/kernel/tasks.ts";

/**
 * A graphile-worker task that parses its payload with the definition's schema. Jobs may be older than the code: a payload
 * that does not parse is an error, and the job is kept.
 */
export function taskFor<Payload extends z.ZodType>(
  definition: TaskDefinition<string, Payload>,
  handle: (payload: z.output<Payload>) => Promise<void>,
): Task {
  return async (payload) => {
    await handle(definition.payload.parse(payload));
  };
}
