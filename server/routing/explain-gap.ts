/** Pure: why no connection carries a message, and what excludes those that could. */
import { isFor } from "./choose-route.ts";
import type { Route, RouteFacts } from "./choose-route.ts";
import type { StoredRule } from "./rule-set.ts";

export interface Problem {
  code: string;
  detail: string;
}

/**
 * Why a route has no connection; null when it has one. `rules`: all of the environment, including disabled ones, which
 * are the most frequent reason.
 */
export function gapOf(route: Route, rules: readonly StoredRule[], facts: RouteFacts): Problem | null {
  if (route.candidates.length > 0) return null;
  if (route.ruleId === null) {
    const off = rules.filter((rule) => !rule.enabled && isFor(rule, facts)).map((rule) => `"${rule.name}"`);
    if (off.length === 0) return { code: "no_rule", detail: "No routing rule applies." };
    return {
      code: "rules_disabled",
      detail: `No enabled routing rule is for it; ${off.slice(0, 3).join(", ")} would be, but ${off.length === 1 ? "is" : "are"} disabled.`,
    };
  }
  const reasons = route.excluded.filter((entry) => entry.connectionId !== undefined);
  const residency = reasons.length > 0 && reasons.every((entry) => entry.code === "region_not_allowed");
  return {
    code: residency ? "region_not_allowed" : "no_usable_connection",
    detail: residency
      ? `The rule "${route.ruleName ?? ""}" decides, but all of its connections process data where the organisation does not allow it.`
      : `The rule "${route.ruleName ?? ""}" decides, but none of its connections can carry the message.`,
  };
}

/**
 * Why a message waits though rules and connections fit: none of the route's connections works. Null when one does, or when there is
 * none to begin with. `isOut`: whether a connection was found unavailable.
 */
export function outageOf(
  route: Pick<Route, "candidates">,
  isOut: (connectionId: string) => boolean,
): Problem | null {
  const { candidates } = route;
  if (candidates.length === 0 || !candidates.every(({ connectionId }) => isOut(connectionId))) return null;
  const names = candidates.map(({ name }) => `"${name}"`);
  const shown = names.length > 3 ? [...names.slice(0, 2), `${String(names.length - 2)} more`] : names;
  return {
    code: "no_working_connection",
    detail: `${new Intl.ListFormat("en", { type: "conjunction" }).format(shown)} ${names.length === 1 ? "is" : "are"} unavailable and there is no other connection: messages wait until one works again.`,
  };
}

/** Why each connection of the deciding rule was left out, e.g. "Vonage: the connection is disabled". */
export function reasonsOf(route: Route): string[] {
  return route.excluded
    .filter((entry) => entry.connectionId !== undefined)
    .map((entry) => (entry.name === undefined ? entry.why : `${entry.name}: ${entry.why}`));
}

/** A connection whose senders are all for other regions: only a template that names its own sender can use it. */
export function senderGap(
  connection: {
    name: string;
    senders: readonly { channel: string; region?: string | undefined; unitId: string | null }[];
  },
  channel: string,
  region: string,
  unitId: string,
): Problem | null {
  const senders = connection.senders.filter(
    (entry) => entry.channel === channel && (entry.unitId === null || entry.unitId === unitId),
  );
  const fits = senders.some((entry) => entry.region === undefined || entry.region === region);
  if (senders.length === 0 || fits) return null;
  return {
    code: "sender_missing",
    detail: `"${connection.name}" has no sender for ${region}; only templates that name their own sender can use it there.`,
  };
}
