/** The hold of sending: what it keeps, and how it begins and ends. By the console and by `npm run hold`. */
import type pg from "pg";
import { inTransaction } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { deleteHold, forgetHold, insertHold, selectHold } from "../platform/sending-hold.ts";
import type { SendingHold } from "../platform/sending-hold.ts";
import type { OperatorCtx } from "./operator-ctx.ts";
import { insertEventOf, selectHeldWork } from "./queries.ts";
import type { HeldWork, NewEvent } from "./queries.ts";

type Author = Pick<NewEvent, "operatorId" | "operatorName" | "sessionId" | "requestId" | "ip">;

const command = (): Author => ({
  operatorId: null,
  operatorName: "Command",
  sessionId: null,
  requestId: newId(),
  ip: null,
});

const eventOf = (author: Author, action: string, data: object): NewEvent => ({
  ...author,
  id: newId(),
  at: new Date(),
  action,
  organisation: null,
  organisationSlug: null,
  data,
});

/** What is kept, in all. Sandboxes are left out: their messages never leave the installation. */
export interface HeldSums {
  messages: number;
  /** Of these, those that end as expired because their time is up. */
  expired: number;
  /** Of these, those that are scheduled for later. */
  later: number;
  /** When the oldest was accepted; null: there are none. */
  oldestAt: Date | null;
  broadcasts: number;
  webhooks: number;
  /** Organisations with any of it. */
  organisations: number;
}

function sumsOf({ messages, broadcasts, webhooks }: HeldWork): HeldSums {
  const all = (rows: readonly number[]) => rows.reduce((sum, one) => sum + one, 0);
  const oldest = messages.map(({ oldestAt }) => oldestAt.getTime());
  return {
    messages: all(messages.map(({ waiting }) => waiting)),
    expired: all(messages.map(({ expired }) => expired)),
    later: all(messages.map(({ later }) => later)),
    oldestAt: oldest.length === 0 ? null : new Date(Math.min(...oldest)),
    broadcasts: all(broadcasts.map((row) => row.broadcasts)),
    webhooks: all(webhooks.map(({ waiting }) => waiting)),
    organisations: new Set([...messages, ...broadcasts, ...webhooks].map(({ slug }) => slug)).size,
  };
}

/** Whether sending is on hold, and what would go out or expire when it is released. Over the owner's or the console's role. */
export async function holdStatus(
  sql: Pick<pg.Pool, "query">,
): Promise<{ hold: SendingHold | null; sums: HeldSums; work: HeldWork }> {
  const [hold, work] = await Promise.all([selectHold(sql), selectHeldWork(sql)]);
  return { hold: hold ?? null, sums: sumsOf(work), work };
}

/**
 * Puts sending on hold: workers end their running jobs within seconds and take no others, and requests to send are refused with
 * `sending_held`. Over the owner's role. Throws `conflict` when it is on hold.
 * @param by a person, or what does it
 */
export async function holdSending(owner: pg.Pool, by: string, reason: string): Promise<void> {
  await inTransaction(owner, "BEGIN", async (sql) => {
    if (!(await insertHold(sql, { heldBy: by, reason })))
      throw new DomainError("conflict", "Sending is on hold already.");
    await insertEventOf(sql, eventOf(command(), "sending.held", { by, reason }));
  });
}

/** Notes in the operators' log that the installation was restored. Over the owner's role. */
export async function recordRestore(owner: Pick<pg.Pool, "query">, takenAt: string): Promise<void> {
  await insertEventOf(owner, eventOf(command(), "installation.restored", { takenAt }));
}

async function release(pool: pg.Pool, author: Author): Promise<HeldSums> {
  return inTransaction(pool, "BEGIN", async (sql) => {
    const sums = sumsOf(await selectHeldWork(sql));
    const hold = await deleteHold(sql);
    if (!hold) throw new DomainError("conflict", "Sending is not on hold.");
    await insertEventOf(sql, eventOf(author, "sending.released", { ...hold, ...sums }));
    return sums;
  });
}

/**
 * Ends the hold: workers begin within seconds. Messages whose time is up end as expired, all others are sent. Over the owner's
 * role. Returns what was kept until then. Throws `conflict` when there is no hold.
 */
export function releaseSending(owner: pg.Pool): Promise<HeldSums> {
  return release(owner, command());
}

/** The same by an operator in the console. */
export async function releaseFromConsole(ctx: OperatorCtx): Promise<HeldSums> {
  const { operator, sessionId, requestId, ip } = ctx;
  const sums = await release(ctx.console.pool, {
    operatorId: operator.id,
    operatorName: operator.name,
    sessionId,
    requestId,
    ip,
  });
  forgetHold();
  return sums;
}

/** For the console's banner: the figures are read only while there is a hold. */
export async function getHold(ctx: OperatorCtx): Promise<(SendingHold & { sums: HeldSums }) | null> {
  const hold = await selectHold(ctx.console.pool);
  return hold ? { ...hold, sums: sumsOf(await selectHeldWork(ctx.console.pool)) } : null;
}
