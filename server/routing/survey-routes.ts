/** Pure: the routes of everything that an environment's templates can send, by chooseRoute itself. */
import type { ProviderConnection } from "../connections/load-connection.ts";
import { channels } from "../kernel/channel.ts";
import type { Channel } from "../kernel/channel.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";
import { chooseRoute } from "./choose-route.ts";
import type { Route, RouteOptions } from "./choose-route.ts";
import { gapOf, outageOf, senderGap } from "./explain-gap.ts";
import type { Problem } from "./explain-gap.ts";
import type { LiveAudience } from "./queries.ts";
import type { StoredRule } from "./rule-set.ts";

type Application = Catalogue["applications"][number];

/** One kind of message and its route. `type` null: nothing is live on the channel, so any type stands for all. */
export interface SurveyedRoute {
  application: Application;
  channel: Channel;
  region: string;
  type: string | null;
  subtype: string | null;
  route: Route;
  /** Why nothing carries it, or nothing carries it now. */
  gap: Problem | null;
  /** Connections that have no sender for the region. */
  senders: Problem[];
}

/** Further regions of an application are not surveyed one by one. */
const maxRegions = 60;

/**
 * Every application × channel × live type × region in use: the application's own region, and those that its templates
 * and rules name. Messages that no rule distinguishes are routed once.
 */
export function surveyRoutes(input: {
  rules: readonly StoredRule[];
  connections: ReadonlyMap<string, ProviderConnection>;
  options: RouteOptions;
  applications: readonly Application[];
  audiences: readonly LiveAudience[];
  /** Whether a connection was found unavailable. */
  isOut: (connectionId: string) => boolean;
}): SurveyedRoute[] {
  const byApplication = Map.groupBy(input.audiences, (audience) => audience.applicationId);
  return input.applications.flatMap((application) => {
    const rules = input.rules.filter(
      (rule) => rule.applicationId === null || rule.applicationId === application.id,
    );
    const audiences = byApplication.get(application.id) ?? [];
    const regions = [
      ...new Set([
        application.defaultRegion,
        ...[...audiences, ...rules].flatMap(({ region }) => region ?? []),
      ]),
    ]
      .sort()
      .slice(0, maxRegions);
    return channels.flatMap((channel) =>
      surveyChannel({ ...input, rules }, application, channel, regions, audiences),
    );
  });
}

function surveyChannel(
  input: Parameters<typeof surveyRoutes>[0],
  application: Application,
  channel: SurveyedRoute["channel"],
  regions: readonly string[],
  audiences: readonly LiveAudience[],
): SurveyedRoute[] {
  const rules = input.rules.filter((rule) => rule.channel === null || rule.channel === channel);
  const enabled = rules.filter((rule) => rule.enabled);
  const named = {
    region: new Set(rules.map((rule) => rule.region)),
    type: new Set(rules.map((rule) => rule.notificationType)),
    subtype: new Set(rules.map((rule) => rule.notificationSubtype)),
  };
  const routed = new Map<string, Pick<SurveyedRoute, "route" | "gap">>();
  const routeOf = (region: string, type: string | null, subtype: string | null) => {
    const key = JSON.stringify([
      named.region.has(region) && region,
      named.type.has(type) && type,
      named.subtype.has(subtype) && subtype,
    ]);
    const known = routed.get(key);
    if (known) return known;
    const facts = {
      region,
      applicationId: application.id,
      unitId: application.unitId,
      channel,
      notificationType: type ?? "",
      notificationSubtype: subtype ?? "",
    };
    const route = chooseRoute(enabled, input.connections, facts, input.options);
    const found = { route, gap: gapOf(route, rules, facts) ?? outageOf(route, input.isOut) };
    routed.set(key, found);
    return found;
  };

  const seen = new Set<string>();
  const surveyed: SurveyedRoute[] = [];
  const add = (region: string, type: string | null, subtype: string | null) => {
    const key = JSON.stringify([region, type, subtype]);
    if (seen.has(key)) return;
    seen.add(key);
    const found = routeOf(region, type, subtype);
    const senders = found.route.candidates.flatMap(({ connectionId }) => {
      const connection = input.connections.get(connectionId);
      return (connection && senderGap(connection, channel, region, application.unitId)) ?? [];
    });
    surveyed.push({ application, channel, region, type, subtype, ...found, senders });
  };
  const live = audiences.filter((audience) => audience.channel === channel);
  for (const audience of live) {
    for (const region of audience.region === null ? regions : [audience.region]) {
      add(region, audience.notificationType, audience.notificationSubtype);
    }
  }
  if (live.length === 0) for (const region of regions) add(region, null, null);
  return surveyed;
}
