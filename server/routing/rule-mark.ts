import { jsonHash } from "../kernel/canonical-json.ts";
import type { RoutingRule } from "./choose-route.ts";

/** Rules are loaded once a second and each decides many messages. */
const marks = new WeakMap<object, string>();

/**
 * Tells whether a rule is still what it was: 12 hex digits of its conditions, its place and its tiers. Not of its name, which decides
 * nothing.
 */
export function ruleMark(rule: RoutingRule): string {
  const known = marks.get(rule);
  if (known !== undefined) return known;
  const { region, applicationId, channel, notificationType, notificationSubtype, priority, tiers } = rule;
  const mark = jsonHash({
    ...{ region, applicationId, channel, notificationType, notificationSubtype, priority },
    tiers: tiers.map((tier) => tier.map(({ connectionId, weight }) => [connectionId, weight])),
  }).slice(0, 12);
  marks.set(rule, mark);
  return mark;
}
