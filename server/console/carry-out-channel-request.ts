import type { z } from "zod";
import type { Db } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { assignChannel } from "../platform/assign-channel.ts";
import { channelAssignSchema, channelSendersSchema, channelUnassignSchema } from "../platform/schemas.ts";
import type { OperatorDb } from "../platform/operator-db.ts";
import { replaceChannelSenders } from "../platform/replace-channel-senders.ts";
import { unassignChannel } from "../platform/unassign-channel.ts";
import { finishChannelRequest, takeChannelRequest } from "./channel-queries.ts";
import type { ChannelAction } from "./channels.ts";

function step<Schema extends z.ZodType>(
  schema: Schema,
  run: (db: OperatorDb, input: z.output<Schema>) => Promise<unknown>,
) {
  return (db: OperatorDb, input: unknown) => run(db, schema.parse(input));
}

const steps: Record<ChannelAction, (db: OperatorDb, input: unknown) => Promise<unknown>> = {
  "channel.assigned": step(channelAssignSchema, assignChannel),
  "channel.senders_changed": step(channelSendersSchema, replaceChannelSenders),
  "channel.taken_back": step(channelUnassignSchema, unassignChannel),
};

/**
 * Carries out what an operator asked for in the console, over the worker's role and with the use cases of the command; never
 * twice. A refusal is told to whoever asked; what fails otherwise is left without an outcome.
 */
export async function carryOutChannelRequest({ db }: { db: Db }, { id }: { id: string }): Promise<void> {
  const request = await takeChannelRequest(db, id);
  if (!request) return;
  const run = steps[request.action as ChannelAction];
  try {
    await run({ owner: db.pool, db, requestId: request.requestId, keepsAddresses: true }, request.input);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { code, message: detail, errors } = error;
    await finishChannelRequest(db, id, { code, detail, errors });
    return;
  }
  await finishChannelRequest(db, id, null);
}
