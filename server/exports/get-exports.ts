import type { Ctx } from "../kernel/ctx.ts";
import { decodeCursor, toPage } from "../kernel/cursor.ts";
import { notFound } from "../kernel/errors.ts";
import { timeOfId } from "../kernel/ids.ts";
import { countAhead, selectExport, selectExports } from "./queries.ts";
import type { ExportRow } from "./queries.ts";
import { exportLimits } from "./schemas.ts";
import type { ExportView } from "./schemas.ts";

const day = 86_400_000;

/** Somebody's own export; `not_found` for all others. */
export async function requireExport(ctx: Ctx, id: string): Promise<ExportRow> {
  const row = await selectExport(ctx, id);
  if (row?.actorType !== ctx.actor.type || row.actorId !== ctx.actor.id) throw notFound();
  return row;
}

/** The caller's own exports, newest first. */
export async function listExports(
  ctx: Ctx,
  input: { limit: number; cursor?: string | undefined },
): Promise<{ data: ExportView[]; nextCursor: string | null }> {
  const rows = await selectExports(ctx, {
    actor: ctx.actor,
    before: decodeCursor(input.cursor),
    limit: input.limit + 1,
  });
  const ahead = await countAhead(ctx, waiting(rows));
  return toPage(rows, input.limit, (row) => presentExport(row, ahead.get(row.id) ?? 0));
}

/** One of the caller's own exports. */
export async function getExport(ctx: Ctx, input: { id: string }): Promise<ExportView> {
  const row = await requireExport(ctx, input.id);
  const ahead = await countAhead(ctx, waiting([row]));
  return presentExport(row, ahead.get(row.id) ?? 0);
}

const waiting = (rows: readonly ExportRow[]) =>
  rows.filter(({ state }) => state === "waiting").map(({ id }) => id);

/** How much of the time between the first row and the last moment has been gone through, 0 to 1. */
function shareOf({ state, fromId, afterId, until }: ExportRow): number {
  if (state === "finished" || state === "expired") return 1;
  if (fromId === null || afterId === null) return 0;
  const from = timeOfId(fromId);
  return Math.max(0, Math.min(1, (timeOfId(afterId) - from) / Math.max(1, until.getTime() - from)));
}

export function presentExport(row: ExportRow, ahead: number): ExportView {
  return {
    id: row.id,
    kind: row.kind,
    state: row.state,
    fileName: row.fileName,
    filter: row.filter,
    columns: row.columns,
    rows: row.rows,
    bytes: row.bytes,
    share: shareOf(row),
    ahead,
    problem: row.problem,
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
    expiresAt: row.state === "finished" ? endOf(row).toISOString() : null,
  };
}

/** When a finished file is not handed out any more. */
export const endOf = ({ finishedAt }: Pick<ExportRow, "finishedAt">): Date =>
  new Date((finishedAt?.getTime() ?? 0) + exportLimits.days * day);
