import type { Ctx } from "../kernel/ctx.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import type { FieldError } from "../kernel/errors.ts";
import { changeRules } from "./change-rules.ts";
import type { Editing } from "./change-rules.ts";
import { checkRule, connectionProblem } from "./check-rules.ts";
import { listRules } from "./list-rules.ts";
import { findRevisionRules } from "./queries.ts";
import { parseSnapshot } from "./rule-set.ts";
import { wholePercent } from "./vocabulary.ts";
import type { SnapshotRule, StoredRule } from "./rule-set.ts";
import type { Reverted } from "./schemas.ts";

type Dropped = Reverted["dropped"];

/**
 * Restores the rules of a revision, as a new revision: those that the actor manages, then and now; others stay as they
 * are. References to connections, applications or types that are gone or no longer allowed are named and refused (409
 * `conflict`, member `missing`) or, with `dropMissing`, left out: the other connections of the tier share its messages.
 */
export async function revertRules(
  ctx: Ctx,
  input: {
    environmentId: string;
    number: number;
    dropMissing: boolean;
    revision?: number | undefined;
    note?: string | undefined;
  },
): Promise<Reverted> {
  let dropped: Dropped = [];
  await changeRules(ctx, { ...input, action: "routing.reverted" }, async (editing) => {
    const stored = await findRevisionRules(editing.tx, ctx.tenantId, input.environmentId, input.number);
    if (stored === undefined) throw notFound();
    dropped = [];
    const kept = editing.rules.filter((rule) => !editing.manages(rule));
    const restored = parseSnapshot(stored)
      .filter((rule) => editing.manages(rule) && !kept.some((other) => other.id === rule.id))
      .flatMap((rule) => restore(editing, rule, dropped));
    if (dropped.length > 0 && !input.dropMissing) refuse(input.number, dropped);
    return {
      rules: [...kept, ...restored],
      summary: `Went back to revision ${String(input.number)}`,
    };
  });
  return { ...(await listRules(ctx, input)), dropped };
}

function restore(editing: Editing, { tiers, ...old }: SnapshotRule, dropped: Dropped): StoredRule[] {
  const updatedAt = editing.ctx.now();
  const plain = tiers.map((tier) => tier.map(({ connectionId, weight }) => ({ connectionId, weight })));
  const rule: StoredRule = { ...old, tiers: plain.map(inPercent), updatedAt };
  // Checked completely, even where it equals the present rule: that one may name what has been deleted since.
  const problems = checkRule(editing, rule, undefined, "");
  if (problems.length === 0) return [rule];
  const usable = tiers
    .map((tier) =>
      tier.filter(({ connectionId, name }) => {
        const problem = connectionProblem(editing, rule, connectionId);
        if (problem) dropped.push({ rule: rule.name, connection: name, why: problem.detail });
        return !problem;
      }),
    )
    .filter((tier) => tier.length > 0);
  const other = problems.find((problem) => !problem.pointer.startsWith("/tiers/"));
  if (other || usable.length === 0) {
    const why = other?.detail ?? "none of its connections can be used";
    dropped.push({ rule: rule.name, connection: null, why });
    return [];
  }
  return [{ ...rule, tiers: usable.map(inPercent) }];
}

function inPercent(tier: { connectionId: string; weight: number }[]): StoredRule["tiers"][number] {
  const shares = wholePercent(tier.map(({ weight }) => weight));
  return tier.map(({ connectionId }, index) => ({ connectionId, weight: shares[index] ?? 1 }));
}

function refuse(number: number, missing: Dropped): never {
  const [first] = missing;
  const errors: FieldError[] = missing.slice(0, 100).map(({ rule, connection, why }) => ({
    pointer: "/dropMissing",
    code: "missing",
    detail: connection === null ? `Rule "${rule}": ${why}` : `Rule "${rule}", ${connection}: ${why}`,
  }));
  throw new DomainError(
    "conflict",
    `Revision ${String(number)} cannot be brought back whole. ${errors[0]?.detail ?? first?.why ?? ""}. Leave out what is missing with dropMissing.`,
    { errors, extra: { missing } },
  );
}
