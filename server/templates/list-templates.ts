import type { Ctx } from "../kernel/ctx.ts";
import { decodeCursor, toPage } from "../kernel/cursor.ts";
import { toSummary } from "./present-template.ts";
import { selectTemplates } from "./queries.ts";
import type { TemplateListInput, TemplateSummary } from "./schemas.ts";
import { templateScopes } from "./template-access.ts";

/** The templates that the actor may read with their history, newest first; archived ones only when asked for. */
export async function listTemplates(
  ctx: Ctx,
  input: TemplateListInput,
): Promise<{ data: TemplateSummary[]; nextCursor: string | null }> {
  const { cursor, limit, archived, ...filter } = input;
  const rows = await selectTemplates(ctx, {
    ...filter,
    archived: archived === "true",
    scopes: templateScopes(ctx, "templates:read"),
    before: decodeCursor(cursor),
    limit: limit + 1,
  });
  return toPage(rows, limit, toSummary);
}
