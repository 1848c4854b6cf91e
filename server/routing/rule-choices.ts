import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { whyNot } from "./choose-route.ts";
import { loadRuleSet } from "./list-rules.ts";
import { healthOf } from "./present-rules.ts";
import { selectLiveAudiences } from "./queries.ts";
import { routeOptions } from "./route-options.ts";
import { seesConnection, seesRule } from "./rule-access.ts";
import type { RuleChoices } from "./schemas.ts";

/**
 * What a rule of this environment may name: the connections that the caller sees, types of messages, regions in use.
 */
export async function ruleChoices(ctx: Ctx, input: { environmentId: string }): Promise<RuleChoices> {
  const [set, audiences] = await Promise.all([
    loadRuleSet(ctx, input.environmentId),
    selectLiveAudiences(ctx, input.environmentId),
  ]);
  const { catalogue, environment } = set;
  const options = routeOptions({
    sandbox: environment.kind === "sandbox",
    spread: 0,
    tenant: catalogue.tenant,
  });
  const visible = { rules: set.rules.filter((rule) => seesRule(ctx, catalogue, environment.id, rule)) };
  const applications = catalogue.applications.filter((entry) =>
    seesRule(ctx, catalogue, environment.id, { applicationId: entry.id }),
  );
  const mine = new Set(applications.map((entry) => entry.id));
  return {
    connections: [...set.connections.values()]
      .filter((connection) => seesConnection(ctx, connection))
      .map((connection) => {
        const reason = whyNot(connection, { unitId: null, channel: null }, options);
        return {
          id: connection.id,
          name: connection.name,
          adapter: connection.adapter.name,
          channels: [...connection.channels] as Channel[],
          unitId: connection.unitId,
          processingRegion: connection.processingRegion,
          problem: reason ? { code: reason.code, detail: reason.why } : null,
          health: healthOf(set.health, connection.id),
        };
      }),
    notificationTypes: catalogue.notificationTypes.map(({ type, subtypes }) => ({ type, subtypes })),
    regions: [
      ...new Set([
        ...applications.map((entry) => entry.defaultRegion),
        ...[...visible.rules, ...audiences.filter((audience) => mine.has(audience.applicationId))].flatMap(
          ({ region }) => region ?? [],
        ),
      ]),
    ].sort(),
  };
}
