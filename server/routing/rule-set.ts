/** Pure: stored sets of rules, differences between them in words, and priorities for an order. */
import { z } from "zod";
import type { RoutingRule } from "./choose-route.ts";
import type { RuleDifference } from "./schemas.ts";

/** A stored rule, enabled or not. */
export interface StoredRule extends RoutingRule {
  enabled: boolean;
  updatedAt: Date;
}

export const storedTiersSchema = z.array(z.array(z.object({ connectionId: z.string(), weight: z.number() })));

/**
 * A rule in a revision. Connections carry their names of the time, so that history stays readable when they are gone.
 */
const snapshotSchema = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    enabled: z.boolean(),
    region: z.string().nullable(),
    applicationId: z.string().nullable(),
    channel: z.string().nullable(),
    notificationType: z.string().nullable(),
    notificationSubtype: z.string().nullable(),
    priority: z.number(),
    tiers: z.array(z.array(z.object({ connectionId: z.string(), weight: z.number(), name: z.string() }))),
  }),
);
export type SnapshotRule = z.output<typeof snapshotSchema>[number];

export function parseSnapshot(value: unknown): SnapshotRule[] {
  return snapshotSchema.parse(value);
}

/** A revision's copy of the rules. */
export function snapshotOf(
  rules: readonly StoredRule[],
  connections: ReadonlyMap<string, { name: string }>,
): SnapshotRule[] {
  return rules.map(({ updatedAt: _, ...rule }) => ({
    ...rule,
    tiers: rule.tiers.map((tier) =>
      tier.map(({ connectionId, weight }) => ({
        connectionId,
        weight,
        name: connections.get(connectionId)?.name ?? "a connection that no longer exists",
      })),
    ),
  }));
}

/** Names of what rules refer to by id. */
export interface Wording {
  application: (id: string) => string;
}

const texts: Record<string, (rule: SnapshotRule, wording: Wording) => string | null> = {
  name: (rule) => (rule.name === "" ? "unnamed" : rule.name),
  state: (rule) => (rule.enabled ? "enabled" : "disabled"),
  application: (rule, { application }) => rule.applicationId && application(rule.applicationId),
  channel: (rule) => rule.channel,
  region: (rule) => rule.region,
  "notification type": (rule) => rule.notificationType,
  "notification subtype": (rule) => rule.notificationSubtype,
  priority: (rule) => String(rule.priority),
  connections: (rule) => rule.tiers.map(tierText).join(", then "),
};

function tierText(tier: SnapshotRule["tiers"][number]): string {
  const total = tier.reduce((sum, member) => sum + member.weight, 0);
  const share = (weight: number) => `${String(Math.round((weight / total) * 100))}%`;
  return tier
    .map(({ name, weight }) => (tier.length === 1 ? name : `${name} ${share(weight)}`))
    .join(" and ");
}

/** Differences between two sets, rule by rule, in the order of the newer one; removed ones last. */
export function differencesOf(
  before: readonly SnapshotRule[],
  after: readonly SnapshotRule[],
  wording: Wording,
): RuleDifference[] {
  const known = new Map(before.map((rule) => [rule.id, rule]));
  const left = new Set(after.map((rule) => rule.id));
  const describe = (rule: SnapshotRule, field: string) => texts[field]?.(rule, wording) ?? null;
  const differences: RuleDifference[] = [];
  for (const rule of after) {
    const old = known.get(rule.id);
    const fields = Object.keys(texts)
      .map((field) => ({
        field,
        before: old ? describe(old, field) : null,
        after: describe(rule, field),
      }))
      .filter((entry) => entry.before !== entry.after && (old ?? tells(entry.field, rule)));
    if (!old) differences.push({ kind: "added", ruleId: rule.id, name: rule.name, fields });
    else if (fields.length > 0)
      differences.push({ kind: "changed", ruleId: rule.id, name: rule.name, fields });
  }
  for (const rule of before) {
    if (left.has(rule.id)) continue;
    const fields = Object.keys(texts)
      .map((field) => ({ field, before: describe(rule, field), after: null }))
      .filter((entry) => entry.before !== null && tells(entry.field, rule));
    differences.push({ kind: "removed", ruleId: rule.id, name: rule.name, fields });
  }
  return differences;
}

/** For a whole rule, its name is the heading and "enabled" is understood. */
function tells(field: string, rule: SnapshotRule): boolean {
  return field !== "name" && (field !== "state" || !rule.enabled);
}

const verbs = { added: "Added", removed: "Deleted", changed: "Changed" } as const;

/** A change in one line, e.g. `Changed rule "Marketing"`. */
export function summaryOf(differences: readonly RuleDifference[]): string {
  const [only, ...others] = differences;
  if (!only) return "Changed nothing";
  if (others.length === 0) {
    const [field, ...more] = only.fields;
    const verb =
      only.kind === "changed" && field?.field === "state" && more.length === 0
        ? field.after === "enabled"
          ? "Enabled"
          : "Disabled"
        : verbs[only.kind];
    return `${verb} rule "${only.name}"`;
  }
  const reordered = differences.every(
    ({ kind, fields }) => kind === "changed" && fields.every(({ field }) => field === "priority"),
  );
  if (reordered) return `Reordered ${String(differences.length)} rules`;
  return (["added", "changed", "removed"] as const)
    .map(
      (kind) => [verbs[kind].toLowerCase(), differences.filter((each) => each.kind === kind).length] as const,
    )
    .filter(([, count]) => count > 0)
    .map(([verb, count], index) => {
      const text = `${verb} ${String(count)} ${count === 1 ? "rule" : "rules"}`;
      return index === 0 ? text.charAt(0).toUpperCase() + text.slice(1) : text;
    })
    .join(", ");
}

const step = 10;

/**
 * Priorities that put rules into the given order, changing as few of them as possible: those that already ascend stay,
 * the others get numbers between them. Where there is no room, all are renumbered. Returns only changes.
 */
export function prioritiesFor(order: readonly { id: string; priority: number }[]): Map<string, number> {
  const kept = longestAscending(order.map((rule) => rule.priority));
  const changed = new Map<string, number>();
  let index = 0;
  let low = 0;
  while (index < order.length) {
    if (kept.has(index)) {
      low = order[index]?.priority ?? low;
      index++;
      continue;
    }
    let end = index;
    while (end < order.length && !kept.has(end)) end++;
    const count = end - index;
    const high = order[end]?.priority ?? low + step * (count + 1);
    if (high - low <= count) return renumbered(order);
    for (let place = 1; place <= count; place++) {
      const rule = order[index + place - 1];
      if (rule) changed.set(rule.id, low + Math.floor(((high - low) * place) / (count + 1)));
    }
    index = end;
  }
  return changed;
}

function renumbered(order: readonly { id: string; priority: number }[]): Map<string, number> {
  return new Map(
    order
      .map((rule, index) => [rule.id, (index + 1) * step, rule.priority] as const)
      .filter(([, next, now]) => next !== now)
      .map(([id, next]) => [id, next]),
  );
}

/** Indexes of a longest strictly ascending subsequence of positive numbers. */
function longestAscending(values: readonly number[]): Set<number> {
  const length = values.map(() => 1);
  const previous = values.map(() => -1);
  let best = values.length > 0 ? 0 : -1;
  values.forEach((value, at) => {
    for (let before = 0; before < at; before++) {
      if ((values[before] ?? 0) < value && (length[before] ?? 0) + 1 > (length[at] ?? 0)) {
        length[at] = (length[before] ?? 0) + 1;
        previous[at] = before;
      }
    }
    if ((length[at] ?? 0) > (length[best] ?? 0)) best = at;
  });
  const kept = new Set<number>();
  for (let at = best; at >= 0; at = previous[at] ?? -1) kept.add(at);
  return kept;
}
