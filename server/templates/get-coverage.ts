import type { Ctx } from "../kernel/ctx.ts";
import { notFound } from "../kernel/errors.ts";
import { coverageOf } from "./coverage.ts";
import { selectCoverage } from "./library-queries.ts";
import type { TemplateCoverage, TemplateCoverageQuery } from "./library-schemas.ts";
import { requireApplication } from "./template-access.ts";

/**
 * Which text a message would get for each channel, region and language in one environment, and why. Throws
 * `unknown_application`, and `not_found` for an unknown template name or environment.
 */
export async function getCoverage(ctx: Ctx, input: TemplateCoverageQuery): Promise<TemplateCoverage> {
  const { catalogue, application } = await requireApplication(ctx, "templates:read", input.application);
  if (!catalogue.environments.some(({ id }) => id === input.environmentId)) throw notFound();
  const rows = await selectCoverage(ctx, {
    applicationId: application.id,
    name: input.name,
    environmentId: input.environmentId,
  });
  const [first] = rows;
  if (!first) throw notFound();
  const { defaultRegion, defaultLanguage } = application;
  const { matrices, truncated } = coverageOf({ rows, name: input.name, defaultRegion, defaultLanguage });
  const named = new Set<string | undefined>(
    matrices.flatMap(({ cells }) =>
      cells.flatMap((cell) => [
        cell.templateId ?? undefined,
        cell.byType?.templateId,
        cell.unused?.templateId,
      ]),
    ),
  );
  return {
    application: application.name,
    applicationId: application.id,
    name: input.name,
    notificationType: first.notificationType,
    notificationSubtype: first.notificationSubtype,
    environmentId: input.environmentId,
    defaultRegion,
    defaultLanguage,
    templates: rows
      .filter((row) => row.name === input.name || named.has(row.id))
      .map(({ notificationType: _type, notificationSubtype: _subtype, ...row }) => row),
    truncated,
    matrices,
  };
}
