import type { ProviderConnection } from "../connections/load-connection.ts";
import type { HealthMonitor } from "../health/health-monitor.ts";
import type { LaneLimiter } from "./connection-limiter.ts";
import { inDoubtOver } from "./delivery-policy.ts";
import { nextConnection } from "./message-route.ts";
import type { MessageRoute } from "./message-route.ts";
import type { Delivery } from "./queries.ts";

/** A connection that has room for a message; the caller releases it and ends the call. */
export interface Reservation {
  connection: ProviderConnection;
  route: MessageRoute;
  /** Connections that had no room for the message, and until when, ms since the epoch. */
  busyUntil: ReadonlyMap<string, number>;
  /** What health learns from. */
  call: ReturnType<HealthMonitor["begin"]>;
  /** Gives the room to the next message; harmless when repeated. */
  release: () => void;
}

export type Reserved =
  | { do: "use"; reservation: Reservation }
  /**
   * Nothing can take it before `until` (ms since the epoch). `outages`: the connections that are out and could take it: whichever
   * works again first.
   */
  | { do: "wait"; until: number; outages: readonly string[] }
  /** No connection carries it. */
  | { do: "none" };

/** Chooses the connection for the next attempt and takes room on it; the next best when it has none. */
export async function reserveConnection(
  route: MessageRoute,
  delivery: Pick<Delivery, "class" | "attempts">,
  deps: {
    health: Pick<HealthMonitor, "availability" | "begin">;
    limiter: Pick<LaneLimiter, "acquireSoon" | "lineUp">;
  },
): Promise<Reserved> {
  const { health, limiter } = deps;
  const busyUntil = new Map<string, number>();
  for (;;) {
    const choice = nextConnection(route, delivery, health, { busyUntil });
    const connection = choice.do === "none" ? undefined : route.connections.get(choice.connectionId);
    if (!connection || choice.do === "none") return { do: "none" };
    const known = route.health.get(connection.id);
    if (choice.do === "wait") {
      if (busyUntil.has(connection.id)) return { do: "wait", until: choice.until, outages: [] };
      return {
        do: "wait",
        until: limiter.lineUp(connection, choice.until),
        outages: outagesOf(route, delivery, connection.id),
      };
    }
    // Before anything is waited for: of many messages that come at once, as many as there are places on trial take one.
    const call = health.begin(connection, known);
    const permit = await limiter.acquireSoon(connection, Date.now());
    if (permit.granted) {
      const release = () => permit.release();
      return { do: "use", reservation: { connection, route, busyUntil, call, release } };
    }
    call.end();
    busyUntil.set(connection.id, permit.retryAt);
  }
}

/** After an unknown outcome no other connection may take the message. */
function outagesOf(route: MessageRoute, delivery: Pick<Delivery, "attempts">, chosen: string): string[] {
  const bound = inDoubtOver(delivery.attempts) !== undefined;
  const ids = bound ? [chosen] : route.candidates.map(({ connectionId }) => connectionId);
  return ids.filter((id) => (route.health.get(id)?.breaker ?? "closed") !== "closed");
}
