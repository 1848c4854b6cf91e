import type { ConnectionHealth } from "../connections/connection-state.ts";
import { byWeight } from "./choose-route.ts";
import type { RouteCandidate } from "./choose-route.ts";

/** The share of its weight that a slow connection keeps while another of its tier is not slow. */
const slowWeight = 0.25;

/**
 * A route's candidates in the order in which they are to be tried now. Within a tier those that work come first and
 * share the tier's messages by their weights, so that the share of one that is out goes to the others of its tier
 * before the next tier; one that is slow keeps a quarter of its weight. Those that are out stay in the list, at the end
 * of their tier: messages without an alternative wait for them.
 */
export function healthyCandidates(
  candidates: readonly RouteCandidate[],
  health: ReadonlyMap<string, ConnectionHealth>,
  spread: number,
): RouteCandidate[] {
  if (!candidates.some(({ connectionId }) => isUnhealthy(health.get(connectionId)))) return [...candidates];
  const tiers = new Map<number, RouteCandidate[]>();
  for (const candidate of candidates) {
    const slow = health.get(candidate.connectionId)?.slow === true;
    const adjusted = { ...candidate, weight: candidate.weight * (slow ? slowWeight : 1) };
    const tier = tiers.get(candidate.tier);
    if (tier) tier.push(adjusted);
    else tiers.set(candidate.tier, [adjusted]);
  }
  const isOut = ({ connectionId }: RouteCandidate) => health.get(connectionId)?.breaker === "open";
  return [...tiers.values()].flatMap((tier) => [
    ...byWeight(
      tier.filter((candidate) => !isOut(candidate)),
      spread,
    ),
    ...tier.filter(isOut),
  ]);
}

function isUnhealthy(health: ConnectionHealth | undefined): boolean {
  return health !== undefined && (health.slow || health.breaker === "open");
}
