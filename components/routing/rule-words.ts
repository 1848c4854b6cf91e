import type { RouteHealth, Rule } from "../../server/routing/schemas.ts";
import { channelLabel } from "../messages/channel.tsx";

type Conditions = Pick<
  Rule,
  "application" | "channel" | "region" | "notificationType" | "notificationSubtype"
>;

/** What a rule asks of a message, one entry a condition; none: it is for everything. */
export function conditionWords(
  rule: Conditions,
  applications: readonly { name: string; title: string }[],
): { label: string; value: string }[] {
  const title = applications.find((each) => each.name === rule.application)?.title ?? rule.application;
  const type = [rule.notificationType, rule.notificationSubtype].filter(Boolean).join(" / ");
  return [
    { label: "Application", value: title },
    { label: "Channel", value: rule.channel && channelLabel(rule.channel) },
    { label: "Region", value: rule.region },
    { label: "Type", value: type === "" ? null : type },
  ].flatMap(({ label, value }) => (value ? [{ label, value }] : []));
}

export function specificityWords(count: number): string {
  return count === 0
    ? "No conditions: all other messages"
    : count === 1
      ? "1 condition"
      : `${count} conditions`;
}

/** What is known against a connection, in a few words; null when nothing is. */
export function healthWords(health: RouteHealth): string | null {
  if (!health) return null;
  if (health.breaker === "open") return "unavailable";
  if (health.breaker === "half_open") return "recovering";
  return health.slow ? "slow" : null;
}

export const ruleName = (name: string | null) => (name === null || name === "" ? "Unnamed rule" : name);
