import type { Ctx } from "../kernel/ctx.ts";
import { decodeCursor, encodeCursor } from "../kernel/cursor.ts";
import { requireApplication } from "../templates/template-access.ts";
import { selectBoard } from "./pipeline-queries.ts";
import type { Board, BoardQuery, BoardRow } from "./schemas.ts";

/**
 * The versions in each stage of an application, template by template in the order of their names, and where neighbours
 * differ. Archived templates are left out: they are used nowhere. Throws `unknown_application`.
 */
export async function getBoard(ctx: Ctx, input: BoardQuery): Promise<Board> {
  const { application } = await requireApplication(ctx, "templates:read", input.application);
  const { stages, differences, rows } = await selectBoard(ctx, {
    search: input.search,
    channel: input.channel,
    differing: input.differing,
    applicationId: application.id,
    after: decodeCursor(input.cursor),
    limit: input.limit + 1,
  });
  const page = rows.slice(0, input.limit);
  const last = page.at(-1);
  return {
    pipeline: {
      application: application.name,
      applicationId: application.id,
      title: application.title,
      unitId: application.unitId,
      stages,
    },
    differences,
    data: page.map(withTimes),
    nextCursor: rows.length > input.limit && last ? encodeCursor(last.templateId) : null,
  };
}

/** JSON of Postgres writes times with an offset; answers have them in UTC with a Z. */
function withTimes(row: BoardRow): BoardRow {
  return {
    ...row,
    stages: row.stages.map((stage) => ({
      ...stage,
      deployedAt: stage.deployedAt === null ? null : new Date(stage.deployedAt).toISOString(),
    })),
  };
}
