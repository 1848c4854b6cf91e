/** What is kept of why a message went the way it went, at the time it went. */
import type { ConnectionHealth } from "../connections/connection-state.ts";
import type { RouteCandidate, RouteExclusion } from "../routing/choose-route.ts";
import type { RouteExclusionCode } from "../routing/schemas.ts";

/** Why a connection that a rule names was not among the candidates. */
export type LeftOutCode =
  Exclude<RouteExclusionCode, "not_matching" | "outranked"> | "address_not_carried" | "sender_not_allowed";

/** What kept a candidate from being asked first: it is out, slow, had no room, or had failed with this message before. */
type CandidateState = "out" | "slow" | "busy" | "failed";

/** As stored with an attempt: short, since there is one for each, and with the names of then. */
export interface RecordedDecision {
  /** `mark` as of ruleMark(). Null: none matched. */
  rule: { id: string; name: string; mark: string } | null;
  /** The message answers another one: it goes over the connection that received that. */
  reply?: true;
  /** In the order in which they were to be asked. */
  candidates: { id: string; name: string; tier: number; share: number; state?: CandidateState }[];
  leftOut: { id: string; name?: string; code: LeftOutCode }[];
  /** So many more of either were not kept. */
  more?: number;
}

/** So many candidates, and so many that were left out, are kept; hardly a rule has more. */
const most = 8;
const longestName = 80;

/** What was decided before it is known who has room. */
export interface DecidedRoute {
  rule: RecordedDecision["rule"];
  reply?: true;
  leftOut: readonly RecordedDecision["leftOut"][number][];
}

/** Of the connections of the deciding rule; other rules are not kept. */
export function leftOutOf(excluded: readonly RouteExclusion[]): DecidedRoute["leftOut"] {
  return excluded.flatMap(({ connectionId, name, code }) =>
    connectionId === undefined || code === "not_matching" || code === "outranked"
      ? []
      : [{ id: connectionId, ...(name === undefined ? {} : { name }), code }],
  );
}

/** The record of a choice among candidates; at most 5 KB of JSON, and a few hundred bytes as a rule. */
export function recordDecision(
  decided: DecidedRoute,
  candidates: readonly RouteCandidate[],
  {
    health,
    busy,
    attempts,
  }: {
    health: ReadonlyMap<string, ConnectionHealth>;
    busy?: ReadonlyMap<string, number>;
    /** Those made before. */
    attempts: readonly { connectionId: string; outcome: string | null }[];
  },
): RecordedDecision {
  const failed = new Set(
    attempts.filter(({ outcome }) => outcome === "not_sent").map(({ connectionId }) => connectionId),
  );
  const stateOf = (id: string): CandidateState | undefined => {
    const known = health.get(id);
    if (failed.has(id)) return "failed";
    if (known?.breaker === "open") return "out";
    if (busy?.has(id)) return "busy";
    return known?.slow ? "slow" : undefined;
  };
  const more = Math.max(0, candidates.length - most) + Math.max(0, decided.leftOut.length - most);
  return {
    rule: decided.rule && { ...decided.rule, name: short(decided.rule.name) },
    ...(decided.reply ? { reply: true } : {}),
    candidates: candidates.slice(0, most).map(({ connectionId, name, tier, share }) => {
      const state = stateOf(connectionId);
      return { id: connectionId, name: short(name), tier, share, ...(state ? { state } : {}) };
    }),
    leftOut: decided.leftOut
      .slice(0, most)
      .map((each) => (each.name === undefined ? each : { ...each, name: short(each.name) })),
    ...(more > 0 ? { more } : {}),
  };
}

const short = (name: string) => (name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name);
