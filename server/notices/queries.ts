import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Db, Prisma, Tx } from "../kernel/db.ts";
import type { NoticeKind } from "./schemas.ts";

type TenantDb = Pick<Ctx, "db" | "tenantId">;

export async function insertNotices(tx: Tx, rows: Prisma.NoticeCreateManyInput[]): Promise<void> {
  await tx.notice.createMany({ data: rows });
}

export interface NoticeRow {
  id: string;
  kind: NoticeKind;
  targetType: string;
  targetId: string;
  data: Record<string, string | number>;
  createdAt: Date;
  readAt: Date | null;
}

/** One person's notices, newest first; `before` is the last id of the previous page. */
export async function selectNotices(
  ctx: TenantDb,
  where: { userId: string; before: string | undefined; limit: number },
): Promise<NoticeRow[]> {
  return queryInTenant<NoticeRow>(
    ctx,
    `SELECT id, kind, target_type AS "targetType", target_id AS "targetId", data, created_at AS "createdAt",
            read_at AS "readAt"
     FROM notices WHERE tenant_id = $1 AND user_id = $2 AND ($3::uuid IS NULL OR id < $3) ORDER BY id DESC LIMIT $4`,
    [ctx.tenantId, where.userId, where.before ?? null, where.limit],
  );
}

/** Whether a person got a notice of one kind in the last hours. */
export async function hasRecentNotice(
  tx: Tx,
  tenantId: string,
  where: { userId: string; kind: NoticeKind; hours: number },
): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM notices
    WHERE tenant_id = ${tenantId}::uuid AND user_id = ${where.userId}::uuid AND kind = ${where.kind}
      AND created_at > now() - make_interval(hours => ${where.hours}::int) LIMIT 1`;
  return rows.length > 0;
}

/** Who of these people has an unread notice of one kind about one thing. */
export async function selectOpenReaders(
  tx: Tx,
  tenantId: string,
  where: { kind: NoticeKind; targetId: string; userIds: readonly string[] },
): Promise<string[]> {
  const rows = await tx.notice.findMany({
    where: {
      tenantId,
      userId: { in: [...where.userIds] },
      kind: where.kind,
      targetId: where.targetId,
      readAt: null,
    },
    select: { userId: true },
    distinct: ["userId"],
    take: where.userIds.length,
  });
  return rows.map(({ userId }) => userId);
}

/** How many a person has not read, counted up to `atMost`. */
export async function countUnread(ctx: TenantDb, userId: string, atMost: number): Promise<number> {
  const rows = await queryInTenant<{ count: number }>(
    ctx,
    `SELECT count(*)::int AS count FROM (
       SELECT 1 FROM notices WHERE tenant_id = $1 AND user_id = $2 AND read_at IS NULL LIMIT $3) unread`,
    [ctx.tenantId, userId, atMost],
  );
  return rows[0]?.count ?? 0;
}

/** Marks a person's notices as read: the named ones, or all. */
export async function markNoticesRead(
  tx: Tx,
  tenantId: string,
  where: { userId: string; ids: string[] | undefined; now: Date },
): Promise<void> {
  await tx.notice.updateMany({
    where: { tenantId, userId: where.userId, readAt: null, ...(where.ids ? { id: { in: where.ids } } : {}) },
    data: { readAt: where.now },
  });
}

/** Marks everybody's unread notices of one kind about one thing as read. */
export async function settleNoticesOf(
  tx: Tx,
  tenantId: string,
  where: { kind: NoticeKind; targetId: string; now: Date },
): Promise<void> {
  await tx.notice.updateMany({
    where: { tenantId, kind: where.kind, targetId: where.targetId, readAt: null },
    data: { readAt: where.now },
  });
}

/** A notice of how something of the organisation stands: it is there for as long as that is so, read or not. */
export type StandingKind = Extract<NoticeKind, "consent_policy.unreadable">;

export async function selectTold(db: Db, kind: StandingKind): Promise<string[]> {
  // Each kind has an index of its own, which only a literal finds.
  const { rows } = await db.pool.query<{ tenantId: string }>(
    `SELECT DISTINCT tenant_id AS "tenantId" FROM notices WHERE kind = '${kind}'`,
  );
  return rows.map(({ tenantId }) => tenantId);
}

export async function deleteNotices(tx: Tx, tenantId: string, kind: StandingKind): Promise<void> {
  await tx.notice.deleteMany({ where: { tenantId, kind } });
}
