import { tenantHealth } from "../connections/connection-state.ts";
import type { ConnectionHealth } from "../connections/connection-state.ts";
import { tenantConnections } from "../connections/load-connection.ts";
import type { ProviderConnection } from "../connections/load-connection.ts";
import { maySendAs } from "../connections/sender-ownership.ts";
import type { HealthMonitor } from "../health/health-monitor.ts";
import { needsUtf8 } from "../kernel/address.ts";
import type { Db } from "../kernel/db.ts";
import { whyNot } from "../routing/choose-route.ts";
import type { RouteCandidate } from "../routing/choose-route.ts";
import { healthyCandidates } from "../routing/healthy-candidates.ts";
import { environmentRules } from "../routing/load-rules.ts";
import { ruleMark } from "../routing/rule-mark.ts";
import { routeOptions } from "../routing/route-options.ts";
import { replyPlace } from "../templates/built-in-templates.ts";
import { namedSender } from "../templates/resolve-template.ts";
import { chooseConnection } from "./delivery-policy.ts";
import type { Choice } from "./delivery-policy.ts";
import type { Delivery } from "./queries.ts";
import { leftOutOf } from "./recorded-decision.ts";
import type { DecidedRoute } from "./recorded-decision.ts";
import { routeMessage, spreadOf } from "./route-message.ts";

/** The connections for a message, best first, and their health. */
export interface MessageRoute {
  candidates: readonly RouteCandidate[];
  connections: ReadonlyMap<string, ProviderConnection>;
  health: ReadonlyMap<string, ConnectionHealth>;
}

/**
 * The current route of a message: rules, connections and health are at most a second old. `decided`: what was decided on the way, for the
 * record.
 */
export async function loadMessageRoute(
  db: Db,
  delivery: Delivery,
): Promise<MessageRoute & { decided: DecidedRoute }> {
  const ctx = { db, tenantId: delivery.tenantId };
  const [rules, connections, health] = await Promise.all([
    environmentRules(ctx, delivery.environmentId),
    tenantConnections(ctx),
    tenantHealth(ctx),
  ]);
  const spread = spreadOf(delivery.id);
  const { candidates, ruleId, excluded } = routeMessage(rules, connections, {
    facts: delivery,
    sandbox: delivery.sandbox,
    spread,
    tenant: { dataRegion: delivery.dataRegion, settings: delivery.settings },
  });
  const answersOver = replyPlace(delivery);
  if (answersOver) {
    const decided: DecidedRoute = { rule: null, reply: true, leftOut: [] };
    return {
      ...{ connections, health, decided },
      candidates: replyRoute(delivery, connections, answersOver.connectionId),
    };
  }
  const carrying = candidates.filter(({ connectionId }) =>
    carriesAddress(connections.get(connectionId), delivery),
  );
  const allowed = await allowedCandidates(ctx, delivery, connections, carrying);
  const deciding = rules.find(({ id }) => id === ruleId);
  const missing = (
    code: "address_not_carried" | "sender_not_allowed",
    of: readonly RouteCandidate[],
    among: readonly RouteCandidate[],
  ) =>
    of
      .filter((candidate) => !among.includes(candidate))
      .map(({ connectionId, name }) => ({ id: connectionId, name, code }));
  const decided: DecidedRoute = {
    rule: deciding ? { id: deciding.id, name: deciding.name, mark: ruleMark(deciding) } : null,
    leftOut: [
      ...leftOutOf(excluded),
      ...missing("address_not_carried", candidates, carrying),
      ...missing("sender_not_allowed", carrying, allowed),
    ],
  };
  return { connections, health, decided, candidates: healthyCandidates(allowed, health, spread) };
}

/** Whether a connection takes the recipient's address at all: not every provider takes letters beyond ASCII before the @. */
export function carriesAddress(
  connection: ProviderConnection | undefined,
  { channel, recipient }: Pick<Delivery, "channel" | "recipient">,
): boolean {
  return channel !== "email" || !needsUtf8(recipient) || connection?.adapter.carriesUtf8Addresses === true;
}

/** An answer leaves over the connection that received what it answers, whatever the rules say; or not at all. */
function replyRoute(
  delivery: Delivery,
  connections: ReadonlyMap<string, ProviderConnection>,
  connectionId: string,
): RouteCandidate[] {
  const connection = connections.get(connectionId);
  const { sandbox, dataRegion, settings } = delivery;
  const options = routeOptions({ sandbox, spread: 0, tenant: { dataRegion, settings } });
  if (!connection || whyNot(connection, delivery, options)) return [];
  return [{ connectionId, name: connection.name, tier: 0, weight: 1, share: 100 }];
}

/** Leaves out connections that may not send as the sender that the template names, unless that leaves none. */
async function allowedCandidates(
  ctx: { db: Db; tenantId: string },
  delivery: Delivery,
  connections: ReadonlyMap<string, ProviderConnection>,
  candidates: readonly RouteCandidate[],
): Promise<readonly RouteCandidate[]> {
  const named = await namedSender(ctx, delivery.templateId, delivery.templateVersion);
  if (named === undefined) return candidates;
  const allowed = candidates.filter(({ connectionId }) => {
    const connection = connections.get(connectionId);
    return connection && maySendAs(connection, { channel: delivery.channel, unitId: delivery.unitId }, named);
  });
  // If none is left, the message fails because of its sender, not for want of a route.
  return allowed.length > 0 ? allowed : candidates;
}

/**
 * Where a message goes next. `busyUntil`: connections without room in this lane, and until when (ms since the epoch);
 * `reserved`: the connection that has room for this very message already.
 */
export function nextConnection(
  route: MessageRoute,
  delivery: Pick<Delivery, "class" | "attempts">,
  monitor: Pick<HealthMonitor, "availability">,
  { busyUntil, reserved }: { busyUntil?: ReadonlyMap<string, number>; reserved?: string } = {},
): Choice {
  const now = Date.now();
  return chooseConnection(route.candidates, delivery, {
    now,
    availability: (id) => {
      const health = route.health.get(id);
      if (id === reserved && health?.breaker !== "open") return { from: 0, out: false };
      const until = busyUntil?.get(id);
      return until === undefined ? monitor.availability(id, health, now) : { from: until, out: false };
    },
  });
}

/** The connections of a route, other than one, that could be asked now. */
export function availableOthers(
  route: MessageRoute,
  connectionId: string,
  monitor: Pick<HealthMonitor, "availability">,
): string[] {
  const now = Date.now();
  return route.candidates
    .map((candidate) => candidate.connectionId)
    .filter((id) => id !== connectionId && monitor.availability(id, route.health.get(id), now).from <= now);
}

/** Whether a connection recognises repetitions, so that a message is never delivered twice. */
export function recognisesRepeats(connection: ProviderConnection | undefined): boolean {
  if (!connection) return false;
  const { adapter } = connection;
  return adapter.recognisesRepeats?.(connection.connection.settings) ?? adapter.supportsIdempotency;
}
