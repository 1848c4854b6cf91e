import { tenantHealth } from "../connections/connection-state.ts";
import { visibleConnections } from "../health/visible-connections.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { may, visibleScopes } from "../operations/authorize.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { namedByRules, selectWaiting } from "./outage-queries.ts";
import type { Outage } from "./schemas.ts";

/** Of each connection so many waiting messages are looked at: what is beyond is said as "at least". */
const mostLookedAt = 2_000;

/**
 * What is wrong in an environment now: the connections of its rules that are unavailable or on trial, those with the most waiting
 * messages first, and of the caller's messages how many wait for each, since when, and of which applications. No connections: nothing
 * is wrong. Reads the state of at most a second ago.
 */
export async function currentOutage(ctx: Ctx, input: { environmentId: string }): Promise<Outage> {
  const [connections, health] = await Promise.all([visibleConnections(ctx), tenantHealth(ctx)]);
  const troubled = connections.filter(
    ({ id, enabled }) => enabled && (health.get(id)?.breaker ?? "closed") !== "closed",
  );
  if (troubled.length === 0) return { connections: [] };
  const ids = troubled.map(({ id }) => id);
  const [rules, waiting, catalogue] = await Promise.all([
    namedByRules(ctx, input.environmentId, ids),
    selectWaiting(ctx, visibleScopes(ctx, "notifications:read"), {
      environmentId: input.environmentId,
      connectionIds: ids,
      most: mostLookedAt,
    }),
    getCatalogue(ctx),
  ]);
  const found = troubled.flatMap((connection) => {
    const state = health.get(connection.id);
    const ruleIds = rules.filter(({ connectionId }) => connectionId === connection.id);
    const of = waiting.filter(({ connectionId }) => connectionId === connection.id);
    if (!state || state.breaker === "closed" || (ruleIds.length === 0 && of.length === 0)) return [];
    const looked = of.reduce((sum, { count }) => sum + count, 0);
    const { unitId } = connection;
    return [
      {
        id: connection.id,
        name: connection.name,
        breaker: state.breaker,
        since: state.since.toISOString(),
        reason:
          state.reasonCode === null ? null : { code: state.reasonCode, detail: state.reasonDetail ?? "" },
        nextProbeAt: state.nextProbeAt?.toISOString() ?? null,
        mayProbe: may(ctx, "providers:manage", unitId === null ? {} : { unitId }),
        ruleId: ruleIds[0]?.ruleId ?? null,
        waiting: {
          count: looked,
          more: of.some(({ more }) => more),
          oldestAt: of.map(({ oldestAt }) => oldestAt.toISOString()).sort()[0] ?? null,
          applications: of
            .toSorted((a, b) => b.count - a.count)
            .slice(0, 5)
            .flatMap(({ applicationId, count }) => {
              const application = catalogue.applications.find(({ id }) => id === applicationId);
              return application ? [{ name: application.name, title: application.title, count }] : [];
            }),
        },
      },
    ];
  });
  return { connections: found.sort((a, b) => b.waiting.count - a.waiting.count) };
}
