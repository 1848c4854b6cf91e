import type { Ctx } from "../kernel/ctx.ts";
import { templateScopes } from "../templates/template-access.ts";
import { presentImport } from "./present-import.ts";
import { selectImports } from "./queries.ts";
import type { TemplateImport } from "./schemas.ts";

/** The newest imports, without their templates. */
export async function listImports(ctx: Ctx): Promise<{ data: TemplateImport[] }> {
  const rows = await selectImports(ctx, templateScopes(ctx, "templates:read"), 20);
  return { data: rows.map((row) => presentImport(row, [])) };
}
