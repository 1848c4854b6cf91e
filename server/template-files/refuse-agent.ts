import type { Ctx } from "../kernel/ctx.ts";
import { refuseAgentInProduction } from "../templates/put-live.ts";
import { savedInto } from "../templates/template-access.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";

/** As saving each template of an application does: so that an agent is told before it plans or starts what would be refused. */
export async function refuseAgent(ctx: Ctx, catalogue: Catalogue, applicationId: string): Promise<void> {
  const application = catalogue.applications.find(({ id }) => id === applicationId);
  if (application) await refuseAgentInProduction(ctx, savedInto(ctx, catalogue, application));
}
