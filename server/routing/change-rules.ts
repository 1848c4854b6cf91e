import { isDeepStrictEqual } from "node:util";
import { recordAudit } from "../audit/record-audit.ts";
import { holdConnections } from "../connections/hold-connections.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import type { FieldError } from "../kernel/errors.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { checkRule, refuseProblems } from "./check-rules.ts";
import type { RulePlace } from "./check-rules.ts";
import { forgetRules } from "./load-rules.ts";
import { lockRuleSet, selectRoutable } from "./queries.ts";
import type { LatestRevision } from "./queries.ts";
import { managesRule, reachEnvironment, seesRule } from "./rule-access.ts";
import { differencesOf, snapshotOf, storedTiersSchema, summaryOf } from "./rule-set.ts";
import type { StoredRule } from "./rule-set.ts";
import { routingLimits } from "./vocabulary.ts";
import type { RuleDifference } from "./schemas.ts";
import { wordingFor } from "./wording.ts";

/** The input of an edit: the present rules, and what the actor may do with them. */
export interface Editing extends RulePlace {
  tx: Tx;
  rules: readonly StoredRule[];
  manages: (rule: { applicationId: string | null }) => boolean;
  /** A rule that the actor sees; throws `not_found` for others. */
  find: (id: string) => StoredRule;
}

export interface Edited {
  /** All rules of the environment after the edit. */
  rules: StoredRule[];
  /** The JSON pointer of a rule in the request; without an entry, the request itself. */
  pointers?: ReadonlyMap<string, string>;
  /** Problems found while reading the request. */
  errors?: readonly FieldError[];
  summary?: string;
}

/**
 * The only way to change an environment's rules: serialised, checked, as a whole revision with its audit entry; in
 * force in this process at once and everywhere within two seconds. The actor must be allowed to manage each rule that
 * differs, before and after. `revision`: the one that the change is based on; `revision_conflict` names who was faster.
 * An edit that changes nothing creates no revision.
 */
export async function changeRules(
  ctx: Ctx,
  input: {
    environmentId: string;
    revision?: number | undefined;
    note?: string | undefined;
    action?: "routing.changed" | "routing.reverted";
  },
  edit: (editing: Editing) => Edited | Promise<Edited>,
): Promise<{ revision: number; differences: RuleDifference[] }> {
  const { environmentId } = input;
  const catalogue = await getCatalogue(ctx);
  const environment = reachEnvironment(ctx, catalogue, environmentId, "routing:manage");
  const result = await inTenant(ctx, async (tx) => {
    const stored = await lockRuleSet(tx, ctx.tenantId, environmentId);
    refuseOutdated(input.revision, stored.latest);
    const connections = await selectRoutable(tx, ctx.tenantId);
    const before = stored.rules.map((row): StoredRule => ({
      id: row.id,
      name: row.name,
      enabled: row.enabled,
      region: row.region,
      applicationId: row.applicationId,
      channel: row.channel,
      notificationType: row.notificationType,
      notificationSubtype: row.notificationSubtype,
      priority: row.priority,
      tiers: storedTiersSchema.parse(row.tiers),
      updatedAt: row.updatedAt,
    }));
    const byId = new Map(before.map((rule) => [rule.id, rule]));
    const place = { ctx, catalogue, environment, connections };
    const manages = (rule: { applicationId: string | null }) =>
      managesRule(ctx, catalogue, environmentId, rule);
    const edited = await edit({
      ...place,
      tx,
      rules: before,
      manages,
      find: (id) => {
        const rule = byId.get(id);
        if (!rule || !seesRule(ctx, catalogue, environmentId, rule)) throw notFound();
        return rule;
      },
    });
    const pointerOf = (id: string) => edited.pointers?.get(id) ?? "";
    const left = new Set(edited.rules.map((rule) => rule.id));
    const removed = before.filter((rule) => !left.has(rule.id));
    const changed = edited.rules.filter((rule) => !sameRule(byId.get(rule.id), rule));
    refuseProblems(edited.errors ?? []);
    refuseForeign(
      [...removed, ...changed, ...changed.flatMap((rule) => byId.get(rule.id) ?? [])],
      manages,
      pointerOf,
    );
    const named = new Set(changed.flatMap((rule) => rule.tiers.flat().map((member) => member.connectionId)));
    const held = await holdConnections(tx, ctx.tenantId, [...named]);
    for (const id of named) if (!held.has(id)) connections.delete(id);
    refuseProblems(changed.flatMap((rule) => checkRule(place, rule, byId.get(rule.id), pointerOf(rule.id))));
    if (edited.rules.length > Math.max(routingLimits.rules, before.length)) {
      throw new DomainError("conflict", `An environment has at most ${String(routingLimits.rules)} rules.`);
    }
    const current = stored.latest?.number ?? 0;
    if (removed.length === 0 && changed.length === 0) return { revision: current, differences: [] };

    const where = { tenantId: ctx.tenantId, environmentId };
    const now = ctx.now();
    await tx.routingRule.deleteMany({ where: { ...where, id: { in: removed.map((rule) => rule.id) } } });
    await tx.routingRule.createMany({
      data: changed
        .filter((rule) => !byId.has(rule.id))
        .map((rule) => ({ ...rule, ...where, createdAt: now, updatedAt: now })),
    });
    for (const { id, ...rule } of changed.filter((each) => byId.has(each.id))) {
      await tx.routingRule.update({
        where: { tenantId_id: { tenantId: ctx.tenantId, id } },
        data: { ...rule, updatedAt: now },
      });
    }
    const [old, next] = [snapshotOf(before, connections), snapshotOf(edited.rules, connections)];
    const differences = differencesOf(old, next, wordingFor(catalogue));
    const summary = edited.summary ?? summaryOf(differences);
    const actor = { actorType: ctx.actor.type, actorId: ctx.actor.id, actorName: ctx.actor.name };
    if (!stored.latest) {
      // The state before the first recorded revision can be restored as well.
      await tx.routingRevision.create({
        data: {
          ...where,
          number: 0,
          at: now,
          actorType: "system",
          actorName: "Tidings",
          summary: "As it was before the first change",
          rules: old,
        },
      });
    }
    const revision = current + 1;
    await tx.routingRevision.create({
      data: { ...where, ...actor, number: revision, at: now, summary, note: input.note || null, rules: next },
    });
    await recordAudit(ctx, tx, {
      action: input.action ?? "routing.changed",
      targetType: "routing_rules",
      targetId: environmentId,
      unitId: onlyUnit(place, [...removed, ...changed]),
      environmentId,
      data: {
        revision,
        summary,
        rules: differences.slice(0, 100).map(({ kind, ruleId, name }) => ({ kind, ruleId, name })),
      },
      before: ruleFields(differences, "before"),
      after: ruleFields(differences, "after"),
    });
    return { revision, differences };
  });
  forgetRules(ctx.tenantId, environmentId);
  return result;
}

/** What of each rule differs, by its name; those of the same name are told apart by their ids. */
function ruleFields(differences: readonly RuleDifference[], side: "before" | "after"): object {
  const gone = side === "before" ? "added" : "removed";
  return Object.fromEntries(
    differences
      .slice(0, 100)
      .filter(({ kind }) => kind !== gone)
      .map(({ ruleId, name, fields }) => [
        differences.some((other) => other.name === name && other.ruleId !== ruleId) || name === ""
          ? `${name} ${ruleId.slice(-8)}`.trim()
          : name,
        Object.fromEntries(fields.map((field) => [field.field, field[side]])),
      ]),
  );
}

function sameRule(before: StoredRule | undefined, after: StoredRule): boolean {
  if (!before) return false;
  const { updatedAt: _was, ...old } = before;
  const { updatedAt: _is, ...next } = after;
  return isDeepStrictEqual(old, next);
}

function refuseOutdated(expected: number | undefined, latest: LatestRevision | null): void {
  const current = latest?.number ?? 0;
  if (expected === undefined || expected === current) return;
  throw new DomainError(
    "revision_conflict",
    latest
      ? `${latest.by} has changed the rules meanwhile: they are at revision ${String(current)}, not ${String(expected)}. Reload them, then repeat your change.`
      : `The rules are at revision 0, not ${String(expected)}.`,
    {
      extra: {
        revision: current,
        ...(latest ? { changedBy: latest.by, changedAt: latest.at.toISOString() } : {}),
      },
    },
  );
}

function refuseForeign(
  rules: readonly StoredRule[],
  manages: (rule: StoredRule) => boolean,
  pointerOf: (id: string) => string,
): void {
  const foreign = rules.filter((rule) => !manages(rule));
  const [first] = foreign;
  if (!first) return;
  throw new DomainError(
    "permission_denied",
    first.applicationId === null
      ? "A rule without an application concerns the whole organisation: it needs the permission routing:manage there."
      : "This needs the permission routing:manage for the application that the rule names.",
    {
      errors: foreign.slice(0, 100).map((rule) => ({
        pointer: `${pointerOf(rule.id)}/application`,
        code: "permission_denied",
        detail: "You can't change this rule",
      })),
    },
  );
}

/** The unit of all the rules; null when they concern more. */
function onlyUnit(place: RulePlace, rules: readonly StoredRule[]): string | null {
  const units = new Set(
    rules.map(
      (rule) => place.catalogue.applications.find((entry) => entry.id === rule.applicationId)?.unitId ?? null,
    ),
  );
  const [unit] = units;
  return units.size === 1 ? (unit ?? null) : null;
}
