import type { Ctx } from "../kernel/ctx.ts";
import { mayWithTemplates } from "../templates/template-access.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { presentPipelines } from "./present-pipeline.ts";
import type { Pipeline } from "./schemas.ts";

/** The pipelines of the applications whose templates the actor may read, by name of application. */
export async function listPipelines(ctx: Ctx): Promise<{ data: Pipeline[] }> {
  const catalogue = await getCatalogue(ctx);
  const applications = catalogue.applications.filter((application) =>
    mayWithTemplates(ctx, "templates:read", { unitId: application.unitId, applicationId: application.id }),
  );
  return { data: await presentPipelines(ctx, catalogue.environments, applications) };
}
