import type { z } from "zod";
import type { Tx } from "./db.ts";

/** A kind of job: its name in the queue and the payload it carries (ids only; the row is the truth). */
export interface TaskDefinition<Name extends string, Payload extends z.ZodType> {
  name: Name;
  payload: Payload;
}

export function defineTask<Name extends string, Payload extends z.ZodType>(
  name: Name,
  payload: Payload,
): TaskDefinition<Name, Payload> {
  return { name, payload };
}

/** Adds a job in the caller's transaction: it exists if and only if the change does. */
export async function enqueue<Payload extends z.ZodType>(
  tx: Tx,
  task: TaskDefinition<string, Payload>,
  payload: z.input<Payload>,
  options: { runAt?: Date; priority?: number; maxAttempts?: number } = {},
): Promise<void> {
  const job = { task: task.name, payload: task.payload.parse(payload), ...options };
  await tx.$executeRaw`SELECT enqueue_jobs(${JSON.stringify([job])}::jsonb)`;
}
