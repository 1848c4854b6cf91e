import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { agentOf } from "./agent-rules.ts";
import { lockBroadcast, updateBroadcast } from "./broadcast-queries.ts";
import type { BroadcastRow } from "./broadcast-queries.ts";
import { forgetFigures, getBroadcast, requireBroadcast } from "./list-broadcasts.ts";
import { sendLimits } from "./schemas.ts";
import type { Broadcast } from "./schemas.ts";

type Locked = NonNullable<Awaited<ReturnType<typeof lockBroadcast>>>;
type Change = Parameters<typeof updateBroadcast>[3];

/**
 * Starts a draft whose recipients are listed, now or later. Throws `conflict` for one that has begun or is still being listed, and
 * `agent_limit` for agents.
 */
export async function startBroadcast(
  ctx: Ctx,
  input: { id: string; startsAt?: string | undefined; ratePerSecond?: number | null | undefined },
): Promise<Broadcast> {
  const startsAt = input.startsAt === undefined ? null : new Date(input.startsAt);
  const now = ctx.now();
  if (startsAt && startsAt.getTime() > now.getTime() + sendLimits.scheduleAheadDays * 86_400_000) {
    throw new DomainError("invalid_request", "The time does not fit.", {
      errors: [{ pointer: "/startsAt", code: "too_late", detail: "At most 30 days ahead" }],
    });
  }
  return change(
    ctx,
    { id: input.id, permission: "notifications:send", action: "broadcast.started" },
    ({ state }) => {
      refuseAgents(ctx);
      if (state !== "ready") {
        throw new DomainError("conflict", "Only a broadcast whose recipients are listed can be started.");
      }
      return {
        state: "sending",
        draft: false,
        startsAt,
        ratePerSecond: input.ratePerSecond ?? null,
        wakeAt: startsAt && startsAt > now ? startsAt : now,
      };
    },
  );
}

/** What is not released yet waits until it is resumed; up to 2,000 messages that are on their way already still go. */
export function pauseBroadcast(ctx: Ctx, input: { id: string }): Promise<Broadcast> {
  return change(ctx, { ...input, permission: "notifications:send", action: "broadcast.paused" }, (locked) => {
    requireRunning(locked);
    if (locked.pausedAt) return {};
    return { pausedAt: ctx.now(), pausedByName: ctx.actor.name };
  });
}

/** Throws `agent_limit` for agents. */
export function resumeBroadcast(ctx: Ctx, input: { id: string }): Promise<Broadcast> {
  return change(
    ctx,
    { ...input, permission: "notifications:send", action: "broadcast.resumed" },
    (locked, row) => {
      refuseAgents(ctx);
      requireRunning(locked);
      if (!locked.pausedAt) return {};
      const now = ctx.now();
      const wakeAt = row.startsAt && row.startsAt > now ? row.startsAt : now;
      return { pausedAt: null, pausedByName: null, wakeAt };
    },
  );
}

/** The most messages a second from now on. Throws `agent_limit` for an agent that asks for more than now. */
export function changeBroadcastRate(
  ctx: Ctx,
  input: { id: string; ratePerSecond: number | null },
): Promise<Broadcast> {
  return change(
    ctx,
    { id: input.id, permission: "notifications:send", action: "broadcast.rate_changed" },
    (locked) => {
      if ((input.ratePerSecond ?? Infinity) > (locked.ratePerSecond ?? Infinity)) refuseAgents(ctx);
      requireRunning(locked);
      return locked.ratePerSecond === input.ratePerSecond ? {} : { ratePerSecond: input.ratePerSecond };
    },
  );
}

/** Ends it: nobody else gets it, and messages that no provider has been given are canceled. */
export function cancelBroadcast(ctx: Ctx, input: { id: string }): Promise<Broadcast> {
  return change(
    ctx,
    { ...input, permission: "notifications:cancel", action: "broadcast.canceled" },
    ({ state }) => {
      if (state === "canceling" || state === "canceled") return {};
      if (state === "finished" || state === "failed") {
        throw new DomainError("conflict", "The broadcast has ended.");
      }
      return { state: "canceling", pausedAt: null, pausedByName: null, wakeAt: ctx.now() };
    },
  );
}

/** What goes to groups a person lets go; an agent may hold it back. */
function refuseAgents(ctx: Ctx): void {
  if (!agentOf(ctx)) return;
  throw new DomainError(
    "agent_limit",
    "An agent may pause, slow down and cancel a broadcast. A person starts, resumes and speeds it up.",
  );
}

function requireRunning({ state }: Locked): void {
  if (state === "sending" || state === "listing") return;
  throw new DomainError(
    "conflict",
    state === "ready" ? "The broadcast has not been started." : "The broadcast has ended.",
  );
}

async function change(
  ctx: Ctx,
  what: { id: string; permission: "notifications:send" | "notifications:cancel"; action: string },
  decide: (locked: Locked, row: BroadcastRow) => Change,
): Promise<Broadcast> {
  const row = await requireBroadcast(ctx, what.id, what.permission);
  await inTenant(ctx, async (tx: Tx) => {
    const locked = await lockBroadcast(tx, ctx.tenantId, row.id);
    if (!locked) throw notFound();
    const { wakeAt, ...data } = decide(locked, row);
    // What it is already needs no change, and no entry in the trail.
    if (Object.keys(data).length === 0) return;
    await updateBroadcast(tx, ctx.tenantId, row.id, wakeAt === undefined ? data : { ...data, wakeAt });
    await recordAudit(ctx, tx, {
      action: what.action,
      targetType: "broadcast",
      targetId: row.id,
      unitId: row.unitId,
      environmentId: row.environmentId,
      data: { name: row.name, recipients: row.total },
      before: told({ ...row, ...locked }),
      after: told({ ...row, ...locked, ...data }),
    });
  });
  forgetFigures(row);
  return getBroadcast(ctx, { id: row.id });
}

const told = ({ state, pausedAt, ratePerSecond, startsAt }: Locked & Pick<BroadcastRow, "startsAt">) => ({
  state,
  paused: pausedAt !== null,
  ratePerSecond,
  startsAt,
});
