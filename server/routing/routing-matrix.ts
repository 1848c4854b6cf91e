import type { Ctx } from "../kernel/ctx.ts";
import type { Problem } from "./explain-gap.ts";
import type { RouteDecision, RoutingMatrix } from "./schemas.ts";
import { surveyEnvironment } from "./survey-environment.ts";
import type { SurveyedRoute } from "./survey-routes.ts";

const maxColumns = 40;
const maxAbout = 20;

/**
 * Which connection sends what: a row for each application and channel, a column for each region or notification type. A
 * cell has one decision, or several where its types (or regions) are routed differently.
 */
export async function routingMatrix(
  ctx: Ctx,
  input: {
    environmentId: string;
    by: "region" | "type";
    unitId?: string | undefined;
    search?: string | undefined;
  },
): Promise<RoutingMatrix> {
  const { surveyed, more } = await surveyEnvironment(ctx, input);
  const columnOf = (one: SurveyedRoute) => (input.by === "region" ? one.region : one.type);
  // Without live templates there is no type for a column.
  const shown = surveyed.filter((one) => columnOf(one) !== null);
  const allColumns = [...new Set(shown.flatMap((one) => columnOf(one) ?? []))].sort();
  const columns = allColumns.slice(0, maxColumns);
  const rows = Map.groupBy(shown, (one) => `${one.application.id} ${one.channel}`);
  return {
    columns,
    rows: [...rows.values()].flatMap((row) => {
      const first = row[0];
      if (!first) return [];
      const byColumn = Map.groupBy(row, columnOf);
      return [
        {
          applicationId: first.application.id,
          application: first.application.name,
          title: first.application.title,
          channel: first.channel,
          live: first.type !== null,
          cells: columns.map((column) => {
            const cell = byColumn.get(column);
            return cell ? decisionsOf(cell) : null;
          }),
        },
      ];
    }),
    moreApplications: more,
    moreColumns: allColumns.length - columns.length,
  };
}

/** Equal routes are one decision; the most frequent comes first. */
export function decisionsOf(routes: readonly SurveyedRoute[]): RouteDecision[] {
  const groups = Map.groupBy(routes, (one) =>
    JSON.stringify([one.route.ruleId, one.route.candidates.map((each) => each.connectionId), problemOf(one)]),
  );
  return [...groups.values()]
    .sort((a, b) => b.length - a.length)
    .flatMap((group) => {
      const first = group[0];
      if (!first) return [];
      const tiers = Map.groupBy(first.route.candidates, (candidate) => candidate.tier);
      return [
        {
          ruleId: first.route.ruleId,
          ruleName: first.route.ruleName,
          tiers: [...tiers.values()].map((tier) => tier.map(({ name, share }) => ({ name, share }))),
          problem: problemOf(first),
          about: aboutOf(group),
          count: group.length,
        },
      ];
    });
}

export function aboutOf(routes: readonly SurveyedRoute[]): RouteDecision["about"] {
  return routes.slice(0, maxAbout).map(({ region, type, subtype }) => ({ region, type, subtype }));
}

function problemOf(one: SurveyedRoute): Problem | null {
  return one.gap ?? one.senders[0] ?? null;
}
