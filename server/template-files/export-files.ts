import type { Ctx } from "../kernel/ctx.ts";
import { decodeCursor, toPage } from "../kernel/cursor.ts";
import { requireEnvironmentOf } from "../tenancy/unknown-names.ts";
import { requireApplication } from "../templates/template-access.ts";
import { toFiles } from "./files.ts";
import { selectContents } from "./queries.ts";
import { fileLimits } from "./schemas.ts";
import type { FilesQuery, TemplateFile } from "./schemas.ts";

/**
 * An application's templates as files, page by page: the latest versions, or those that are live in an environment. Throws
 * `unknown_application`, and `invalid_request` for an environment that is not the application's.
 */
export async function exportFiles(
  ctx: Ctx,
  input: FilesQuery,
): Promise<{ application: string; templates: number; files: TemplateFile[]; nextCursor: string | null }> {
  const { catalogue, application } = await requireApplication(ctx, "templates:read", input.application);
  const environment =
    input.environment === undefined
      ? undefined
      : requireEnvironmentOf(catalogue, application, input.environment);
  const rows = await selectContents(ctx, {
    applicationId: application.id,
    environmentId: environment?.id,
    after: decodeCursor(input.cursor),
    limit: fileLimits.page + 1,
  });
  const { data, nextCursor } = toPage(rows, fileLimits.page, toFiles);
  return { application: application.name, templates: data.length, files: data.flat(), nextCursor };
}
