import { tenantConnections } from "../connections/load-connection.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { may } from "../operations/authorize.ts";
import { loadRuleSet } from "./list-rules.ts";
import { selectLiveAudiences } from "./queries.ts";
import { routeOptions } from "./route-options.ts";
import { surveyRoutes } from "./survey-routes.ts";
import type { SurveyedRoute } from "./survey-routes.ts";

/** With more, callers narrow by team or name. */
const maxApplications = 100;

/**
 * The routes of everything in an environment, for the applications that the caller sees; the rules, connections and
 * live templates are read once. `applications`: the surveyed ones; `more`: how many were left out.
 */
export async function surveyEnvironment(
  ctx: Ctx,
  input: { environmentId: string; unitId?: string | undefined; search?: string | undefined },
): Promise<{ surveyed: SurveyedRoute[]; more: number }> {
  const [set, audiences, connections] = await Promise.all([
    loadRuleSet(ctx, input.environmentId),
    selectLiveAudiences(ctx, input.environmentId),
    tenantConnections(ctx),
  ]);
  const { catalogue, environment } = set;
  const wanted = input.search?.toLowerCase();
  const applications = catalogue.applications.filter(
    (entry) =>
      (environment.kind === "sandbox" || entry.stages.includes(environment.id)) &&
      (input.unitId === undefined || entry.unitId === input.unitId) &&
      (!wanted || `${entry.name} ${entry.title}`.toLowerCase().includes(wanted)) &&
      may(ctx, "providers:read", {
        unitId: entry.unitId,
        applicationId: entry.id,
        environmentId: environment.id,
      }),
  );
  return {
    surveyed: surveyRoutes({
      rules: set.rules,
      connections,
      options: routeOptions({
        sandbox: environment.kind === "sandbox",
        spread: 0,
        tenant: catalogue.tenant,
      }),
      applications: applications.slice(0, maxApplications),
      audiences,
      isOut: (id) => set.health.get(id)?.breaker === "open",
    }),
    more: Math.max(0, applications.length - maxApplications),
  };
}
