import type { SendOutcome } from "../adapters/adapter.ts";
import { tenantHealth } from "../connections/connection-state.ts";
import type { ConnectionHealth } from "../connections/connection-state.ts";
import { tenantConnections } from "../connections/load-connection.ts";
import type { ProviderConnection } from "../connections/load-connection.ts";
import { maySendAs } from "../connections/sender-ownership.ts";
import type { HealthMonitor } from "../health/health-monitor.ts";
import type { Db } from "../kernel/db.ts";
import type { RouteCandidate } from "../routing/choose-route.ts";
import { healthyCandidates } from "../routing/healthy-candidates.ts";
import { environmentRules } from "../routing/load-rules.ts";
import { namedSender } from "../templates/resolve-template.ts";
import { readTenantSettings } from "../tenancy/settings.ts";
import { chooseConnection } from "./delivery-policy.ts";
import type { Choice } from "./delivery-policy.ts";
import type { DeliveryRow } from "./queries.ts";
import { routeFacts, routeMessage, spreadOf } from "./route-message.ts";

/** The connections for a message, best first, and what is known of them. */
export interface Way {
  candidates: readonly RouteCandidate[];
  connections: ReadonlyMap<string, ProviderConnection>;
  health: ReadonlyMap<string, ConnectionHealth>;
}

/** The way of a message as rules, connections and health are now; each is at most a second old. */
export async function findWay(db: Db, row: DeliveryRow): Promise<Way> {
  const ctx = { db, tenantId: row.tenant_id };
  const [rules, connections, health] = await Promise.all([
    environmentRules(ctx, row.environment_id),
    tenantConnections(ctx),
    tenantHealth(ctx),
  ]);
  const spread = spreadOf(row.id);
  const route = routeMessage(rules, connections, {
    facts: routeFacts(row),
    sandbox: row.sandbox,
    spread,
    tenant: { dataRegion: row.data_region, settings: readTenantSettings(row.settings) },
  });
  const allowed = await allowedCandidates(ctx, row, connections, route.candidates);
  return { connections, health, candidates: healthyCandidates(allowed, health, spread) };
}

/** Without the connections that may not send as the sender that the template names, unless that is all of them. */
async function allowedCandidates(
  ctx: { db: Db; tenantId: string },
  row: DeliveryRow,
  connections: ReadonlyMap<string, ProviderConnection>,
  candidates: readonly RouteCandidate[],
): Promise<readonly RouteCandidate[]> {
  const named = await namedSender(ctx, row.template_id, row.template_version);
  if (named === undefined) return candidates;
  const allowed = candidates.filter(({ connectionId }) => {
    const connection = connections.get(connectionId);
    return connection && maySendAs(connection, { channel: row.channel, unitId: row.unit_id }, named);
  });
  // With none of them the message ends by saying so, instead of without a route.
  return allowed.length > 0 ? allowed : candidates;
}

/**
 * Where a message goes next. `busyUntil`: connections that have no room here, and until when (ms since the epoch); `held`:
 * the one that has room for this very message, which does not have to get it once more.
 */
export function chooseOn(
  way: Way,
  row: Pick<DeliveryRow, "class" | "tried">,
  monitor: Pick<HealthMonitor, "availability">,
  { busyUntil, held }: { busyUntil?: ReadonlyMap<string, number>; held?: string } = {},
): Choice {
  const now = Date.now();
  return chooseConnection(way.candidates, row, {
    now,
    availability: (id) => {
      const health = way.health.get(id);
      if (id === held && health?.breaker !== "open") return { from: 0, out: false };
      const until = busyUntil?.get(id);
      return until === undefined ? monitor.availability(id, health, now) : { from: until, out: false };
    },
  });
}

/** The connections other than one that could be asked now. */
export function othersOn(way: Way, connectionId: string, monitor: HealthMonitor): string[] {
  const now = Date.now();
  return way.candidates
    .map((candidate) => candidate.connectionId)
    .filter((id) => id !== connectionId && monitor.availability(id, way.health.get(id), now).from <= now);
}

/** The attempt that has just ended, as it will be read with the message. */
export function triedNow(
  worker: string,
  carried: { connection: ProviderConnection; startedAt: Date },
  number: number,
  outcome: SendOutcome,
): NonNullable<DeliveryRow["tried"]>[number] {
  return {
    number,
    connectionId: carried.connection.id,
    worker,
    outcome: outcome.kind,
    code: outcome.kind === "sent" ? null : outcome.code,
    startedAt: carried.startedAt.toISOString(),
    finishedAt: new Date().toISOString(),
  };
}

/** Whether a connection recognises a repetition, so that nobody gets a message twice by one. */
export function recognisesRepeats(connection: ProviderConnection | undefined): boolean {
  if (!connection) return false;
  const { adapter } = connection;
  return adapter.recognisesRepeats?.(connection.connection.settings) ?? adapter.supportsIdempotency;
}
