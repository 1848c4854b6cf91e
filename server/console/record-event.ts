import type { Db, Tx } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { logger } from "../kernel/log.ts";
import type { OperatorCtx } from "./operator-ctx.ts";
import { insertEvent, insertFailedSignIn, insertLook } from "./queries.ts";
import type { OperatorRow } from "./queries.ts";

/** The same look of one session is told once in so many minutes: pages that refresh themselves would drown the rest. */
const lookMinutes = 10;

/** Writes that an operator looks at something, before it is read; the pages of a list are one look. */
export async function recordLook(
  ctx: OperatorCtx,
  action: string,
  input: Record<string, unknown> | undefined,
): Promise<void> {
  const { id, limit: _limit, cursor: _cursor, ...asked } = input ?? {};
  const data = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== false));
  await insertLook(
    ctx.console,
    {
      id: newId(),
      at: ctx.now(),
      operatorId: ctx.operator.id,
      operatorName: ctx.operator.name,
      sessionId: ctx.sessionId,
      action,
      organisation: typeof id === "string" ? id : null,
      requestId: ctx.requestId,
      ip: ctx.ip,
      data,
    },
    lookMinutes,
  );
}

/** Of one operator, and of all addresses that are nobody's together: a flood of attempts does not fill the log. */
const failuresAnHour = 10;

/**
 * Writes that somebody failed to sign in; what they typed is not in it. Never throws, and takes as long for an address that is no
 * operator's.
 * @param failed.failures of late, including this one
 */
export async function recordFailedSignIn(
  db: Db,
  operator: Pick<OperatorRow, "id" | "name"> | undefined,
  failed: { with: "password" | "code"; failures: number; ip: string | null; requestId: string },
): Promise<void> {
  const { ip, requestId, ...data } = failed;
  const entry = {
    id: newId(),
    operatorId: operator?.id ?? null,
    operatorName: operator?.name ?? "Unknown address",
    action: "session.refused",
    requestId,
    ip,
    data,
  };
  try {
    await insertFailedSignIn(db, entry, failuresAnHour);
  } catch (error) {
    logger().warn({ err: error }, "a failed sign-in to the console was not recorded");
  }
}

/** Writes what an operator changes, in the transaction of the change. */
export async function recordChange(
  ctx: OperatorCtx,
  tx: Tx,
  entry: {
    action: string;
    organisation?: { id: string | null; slug: string };
    data?: Record<string, unknown>;
  },
): Promise<void> {
  await insertEvent(tx, {
    id: newId(),
    at: ctx.now(),
    operatorId: ctx.operator.id,
    operatorName: ctx.operator.name,
    sessionId: ctx.sessionId,
    action: entry.action,
    organisation: entry.organisation?.id ?? null,
    organisationSlug: entry.organisation?.slug ?? null,
    requestId: ctx.requestId,
    ip: ctx.ip,
    data: entry.data ?? {},
  });
}
