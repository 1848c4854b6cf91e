import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { decodeCursor, toPage } from "../kernel/cursor.ts";
import { DomainError, errorTable, notFound } from "../kernel/errors.ts";
import type { ErrorCode } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import {
  insertChannelRequest,
  selectChannelAssignments,
  selectChannels,
  selectOutcome,
} from "./channel-queries.ts";
import type { ChannelState } from "./channel-queries.ts";
import type { OperatorCtx } from "./operator-ctx.ts";
import { selectOrganisationBySlug } from "./queries.ts";
import { recordChange } from "./record-event.ts";
import type {
  assignConsoleChannelSchema,
  lendConsoleChannelSchema,
  listAssignmentsSchema,
  takeConsoleChannelSchema,
} from "./schemas.ts";

/** What an operator asks the worker for, as the log calls it once it is done. */
export type ChannelAction = "channel.assigned" | "channel.senders_changed" | "channel.taken_back";

const changes: Record<ChannelAction, string> = {
  "channel.assigned": "assign",
  "channel.senders_changed": "change senders",
  "channel.taken_back": "take back",
};

/** How long the answer waits for the worker, and how often it looks. */
const patience = { ms: 10_000, everyMs: 100 };

/** The operator's own channels, without credentials and settings. */
export async function listOwnChannels(ctx: OperatorCtx): Promise<{ data: ChannelState[] }> {
  return { data: await selectChannels(ctx.console) };
}

/** One of them, and a page of the organisations that have it, the newest first. Throws `not_found`. */
export async function getOwnChannel(ctx: OperatorCtx, query: z.output<typeof listAssignmentsSchema>) {
  const channel = (await selectChannels(ctx.console)).find(({ id }) => id === query.channelId);
  if (!channel) throw notFound();
  const rows = await selectChannelAssignments(ctx.console, channel.id, {
    before: decodeCursor(query.cursor) ?? null,
    limit: query.limit + 1,
  });
  return { channel, ...toPage(rows, query.limit, (row) => row) };
}

/**
 * Assigns a channel to an organisation, as `npm run channels -- give` does. The console's role cannot: the worker carries it out.
 * Throws what assignChannel throws, and `service_overloaded` when no worker did within ten seconds.
 */
export function assignFromConsole(ctx: OperatorCtx, input: z.output<typeof assignConsoleChannelSchema>) {
  return ask(ctx, "channel.assigned", input);
}

/** Replaces the senders that an organisation has over a channel. Throws as assignFromConsole does. */
export function lendFromConsole(ctx: OperatorCtx, input: z.output<typeof lendConsoleChannelSchema>) {
  return ask(ctx, "channel.senders_changed", input);
}

/** Takes a channel back. Throws as assignFromConsole does, and `connection_in_use` while routing rules name it, without `force`. */
export function takeFromConsole(ctx: OperatorCtx, input: z.output<typeof takeConsoleChannelSchema>) {
  return ask(ctx, "channel.taken_back", input);
}

async function ask(
  ctx: OperatorCtx,
  action: ChannelAction,
  input: { tenant: string; channel?: string; connection?: string; senders?: readonly { sender: string }[] },
): Promise<void> {
  const organisation = await selectOrganisationBySlug(ctx.console, input.tenant);
  if (!organisation) {
    throw new DomainError("not_found", `There is no organisation named ${input.tenant}.`);
  }
  const id = newId();
  await ctx.console.prisma.$transaction(async (tx) => {
    await recordChange(ctx, tx, {
      action: "channel.change_requested",
      organisation,
      data: {
        change: changes[action],
        channel: input.channel ?? null,
        connection: input.connection ?? null,
        ...(input.senders ? { senders: input.senders.map(({ sender }) => sender).join(" ") } : {}),
      },
    });
    await insertChannelRequest(tx, {
      id,
      operatorId: ctx.operator.id,
      operatorName: ctx.operator.name,
      sessionId: ctx.sessionId,
      ip: ctx.ip,
      requestId: ctx.requestId,
      action,
      organisation: organisation.id,
      organisationSlug: organisation.slug,
      input,
    });
  });
  await outcome(ctx, id);
}

const refusalSchema = z.object({
  code: z.string(),
  detail: z.string(),
  errors: z.array(z.object({ pointer: z.string(), code: z.string(), detail: z.string() })),
});

/** Waits until the worker has carried it out, and throws what it refused it with. */
async function outcome(ctx: OperatorCtx, id: string): Promise<void> {
  const deadline = Date.now() + patience.ms;
  while (Date.now() < deadline) {
    const done = await selectOutcome(ctx.console, id);
    if (done) {
      if (done.refusal === null) return;
      const { code, detail, errors } = refusalSchema.parse(done.refusal);
      throw new DomainError(code in errorTable ? (code as ErrorCode) : "internal_error", detail, { errors });
    }
    await pause(patience.everyMs);
  }
  throw new DomainError(
    "service_overloaded",
    "The worker has not carried it out yet. Look again in a minute; what is not done by then does not happen.",
  );
}
