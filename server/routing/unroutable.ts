import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { visibleScopes } from "../operations/authorize.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { reasonsOf } from "./explain-gap.ts";
import { selectUnroutedCounts } from "./queries.ts";
import { aboutOf } from "./routing-matrix.ts";
import type { Unroutable } from "./schemas.ts";
import { surveyEnvironment } from "./survey-environment.ts";
import type { SurveyedRoute } from "./survey-routes.ts";

const hourMs = 3_600_000;
const maxGaps = 200;

/**
 * What no connection carries: by the present rules and live templates, before anybody has sent it, and of the messages
 * of the last `hours` those that failed with `no_route`. Includes what only lacks a sender for its region.
 */
export async function unroutable(
  ctx: Ctx,
  input: { environmentId: string; unitId?: string | undefined; hours: number },
): Promise<Unroutable> {
  const since = new Date(Math.floor(ctx.now().getTime() / hourMs) * hourMs - (input.hours - 1) * hourMs);
  const [{ surveyed }, counts, catalogue] = await Promise.all([
    surveyEnvironment(ctx, input),
    selectUnroutedCounts(ctx, visibleScopes(ctx, "providers:read"), {
      environmentId: input.environmentId,
      unitId: input.unitId,
      since,
    }),
    getCatalogue(ctx),
  ]);
  const live = surveyed.filter((one) => one.type !== null);
  const gaps = gapsOf(live);
  return {
    gaps: gaps.slice(0, maxGaps),
    moreGaps: Math.max(0, gaps.length - maxGaps),
    checked: live.length,
    traffic: counts.flatMap(({ applicationId, channel, count, lastHour }) => {
      const application = catalogue.applications.find((entry) => entry.id === applicationId);
      if (!application) return [];
      const { name, title } = application;
      return [
        {
          application: name,
          title,
          channel: channel as Channel,
          count,
          lastHour: lastHour.toISOString(),
        },
      ];
    }),
  };
}

function gapsOf(live: readonly SurveyedRoute[]): Unroutable["gaps"] {
  const found = live.flatMap((one) => [
    ...(one.gap
      ? [{ one, severity: "blocked" as const, problem: one.gap, reasons: reasonsOf(one.route) }]
      : []),
    ...one.senders.map((problem) => ({ one, severity: "warning" as const, problem, reasons: [] })),
  ]);
  const groups = Map.groupBy(found, ({ one, severity, problem }) =>
    JSON.stringify([
      one.application.id,
      one.channel,
      one.route.ruleId,
      severity,
      // A sender is missing region by region; one line for all of them.
      severity === "blocked" ? problem : [problem.code, problem.detail.split('"')[1]],
    ]),
  );
  return [...groups.values()]
    .flatMap((group) => {
      const first = group[0];
      if (!first) return [];
      const { one, severity, problem, reasons } = first;
      const regions = [...new Set(group.map((each) => each.one.region))];
      return [
        {
          application: one.application.name,
          title: one.application.title,
          channel: one.channel,
          severity,
          problem:
            severity === "warning" && regions.length > 1
              ? {
                  ...problem,
                  detail: problem.detail.replace(` for ${one.region};`, ` for ${regions.join(", ")};`),
                }
              : problem,
          ruleId: one.route.ruleId,
          ruleName: one.route.ruleName,
          reasons,
          about: aboutOf(group.map((each) => each.one)),
          count: group.length,
        },
      ];
    })
    .sort((a, b) => (a.severity === b.severity ? b.count - a.count : a.severity === "blocked" ? -1 : 1));
}
