import type { Tx } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import type { OperatorCtx } from "./operator-ctx.ts";
import { insertEvent, insertLook } from "./queries.ts";

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
