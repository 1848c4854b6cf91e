import { authorizeSomewhere, visibleScopes } from "../access/authorize.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { tenantConnections } from "../providers/load-connection.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { selectTemplateNames } from "./notification-queries.ts";

/** What the filters of the message list offer to this caller. */
export async function filterChoices(
  ctx: Ctx,
): Promise<{ templates: string[]; providers: { id: string; name: string }[]; types: string[] }> {
  authorizeSomewhere(ctx, "notifications:read");
  const scopes = visibleScopes(ctx, "notifications:read");
  const [templates, connections, catalogue] = await Promise.all([
    selectTemplateNames(ctx, scopes),
    tenantConnections(ctx),
    getCatalogue(ctx),
  ]);
  return {
    templates,
    providers: [...connections.values()]
      .filter(
        (entry) =>
          scopes === null || entry.unitId === null || scopes.some((scope) => scope.unitId === entry.unitId),
      )
      .map(({ id, name }) => ({ id, name })),
    types: catalogue.notificationTypes.map((entry) => entry.type),
  };
}
