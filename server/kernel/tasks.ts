import type { z } from "zod";
import { inTenant } from "./db.ts";
import type { Db, Tx } from "./db.ts";

/** A kind of job: its name in the queue and the payload it carries (ids only; the row is the truth). */
export interface TaskDefinition<Name extends string, Payload extends z.ZodType> {
  name: Name;
  payload: Payload;
  /** How its jobs are enqueued unless the caller says otherwise. Of jobs that are due, a lower `priority` (0 if left out) goes first. */
  job: { priority?: number; maxAttempts?: number };
}

export function defineTask<Name extends string, Payload extends z.ZodType>(
  name: Name,
  payload: Payload,
  job: TaskDefinition<Name, Payload>["job"] = {},
): TaskDefinition<Name, Payload> {
  return { name, payload, job };
}

/** Adds a job in the caller's transaction: it exists if and only if the change does. */
export async function enqueue<Payload extends z.ZodType>(
  tx: Tx,
  task: TaskDefinition<string, Payload>,
  payload: z.input<Payload>,
  options: { runAt?: Date; priority?: number } = {},
): Promise<void> {
  const job = { task: task.name, payload: task.payload.parse(payload), ...task.job, ...options };
  await tx.$executeRaw`SELECT enqueue_jobs(${JSON.stringify([job])}::jsonb)`;
}

/** Adds a job by itself, to be run in so many ms. */
export async function enqueueIn<Payload extends z.ZodType>(
  ctx: { db: Db; tenantId: string },
  afterMs: number,
  task: TaskDefinition<string, Payload>,
  payload: z.input<Payload>,
): Promise<void> {
  const runAt = new Date(Date.now() + afterMs);
  await inTenant(ctx, (tx) => enqueue(tx, task, payload, { runAt }));
}
