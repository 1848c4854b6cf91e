import { authorizeSomewhere } from "../access/authorize.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import { isUuid } from "../kernel/ids.ts";
import { toSummary } from "./present-template.ts";
import { selectTemplates } from "./queries.ts";
import type { TemplateListQuery, TemplateSummary } from "./schemas.ts";
import { templateScopes } from "./template-access.ts";

/** The templates that the actor may read with their history, newest first, archived ones left out. */
export async function listTemplates(
  ctx: Ctx,
  input: TemplateListQuery,
): Promise<{ data: TemplateSummary[]; nextCursor: string | null }> {
  authorizeSomewhere(ctx, "templates:read");
  const { cursor, limit, ...filter } = input;
  const rows = await selectTemplates(ctx, {
    ...filter,
    scopes: templateScopes(ctx, "templates:read"),
    before: cursor === undefined ? undefined : decodeCursor(cursor),
    limit: limit + 1,
  });
  const data = rows.slice(0, limit).map(toSummary);
  const last = data.at(-1);
  return { data, nextCursor: rows.length > limit && last ? encodeCursor(last.id) : null };
}

function encodeCursor(id: string): string {
  return Buffer.from(id.replaceAll("-", ""), "hex").toString("base64url");
}

function decodeCursor(cursor: string): string {
  const hex = Buffer.from(cursor, "base64url").toString("hex");
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  if (!isUuid(id) || encodeCursor(id) !== cursor) {
    throw new DomainError("invalid_cursor", "Use the nextCursor of the page before, unchanged.");
  }
  return id;
}
