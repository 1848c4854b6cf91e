import type { Ctx } from "../kernel/ctx.ts";
import type { Db, Tx } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import {
  deleteNotices,
  hasRecentNotice,
  insertNotices,
  selectOpenReaders,
  selectTold,
  settleNoticesOf,
} from "./queries.ts";
import type { StandingKind } from "./queries.ts";
import type { NoticeKind } from "./schemas.ts";

/** A notice; `data` holds names and counts for its line, never texts or addresses. */
export interface NoticeEntry {
  kind: NoticeKind;
  targetType: string;
  targetId: string;
  data: Record<string, string | number>;
}

/** Notifies members, in the transaction of the change itself. */
export async function writeNotices(
  ctx: Ctx,
  tx: Tx,
  userIds: readonly string[],
  entry: NoticeEntry,
): Promise<void> {
  if (userIds.length === 0) return;
  await insertNotices(
    tx,
    userIds.map((userId) => ({
      tenantId: ctx.tenantId,
      id: newId(),
      userId,
      ...entry,
      createdAt: ctx.now(),
    })),
  );
}

/** Whether a person was told of something like it in the last hours. */
export function wasTold(
  ctx: Ctx,
  tx: Tx,
  about: { userId: string; kind: NoticeKind; hours: number },
): Promise<boolean> {
  return hasRecentNotice(tx, ctx.tenantId, about);
}

/** Those of the people who have no unread notice of the kind about the thing: once is enough until it is read. */
export async function withoutOpenNotice(
  ctx: Ctx,
  tx: Tx,
  userIds: readonly string[],
  about: { kind: NoticeKind; targetId: string },
): Promise<string[]> {
  const open = new Set(await selectOpenReaders(tx, ctx.tenantId, { ...about, userIds }));
  return userIds.filter((id) => !open.has(id));
}

/** What a notice asked for is done: it calls for nobody's attention any more. In the transaction that did it. */
export async function settleNotices(
  ctx: Ctx,
  tx: Tx,
  about: { kind: NoticeKind; targetId: string },
): Promise<void> {
  await settleNoticesOf(tx, ctx.tenantId, { ...about, now: ctx.now() });
}

/** The organisations in which anybody was told this, of all (worker's role). */
export function findTold(db: Db, kind: StandingKind): Promise<string[]> {
  return selectTold(db, kind);
}

/** What a notice told is not so any more: it goes from everybody's list. In the transaction that sees to it. */
export async function withdrawNotices(ctx: Ctx, tx: Tx, kind: StandingKind): Promise<void> {
  await deleteNotices(tx, ctx.tenantId, kind);
}
