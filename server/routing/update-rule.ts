import type { Ctx } from "../kernel/ctx.ts";
import type { FieldError } from "../kernel/errors.ts";
import { changeRules } from "./change-rules.ts";
import { resolveRule } from "./check-rules.ts";
import { getRule } from "./get-rule.ts";
import type { RuleInput, SavedRule } from "./schemas.ts";

/** Replaces a rule, also to switch it on or off. See changeRules for refusals. */
export async function updateRule(
  ctx: Ctx,
  input: RuleInput & {
    environmentId: string;
    id: string;
    revision?: number | undefined;
    note?: string | undefined;
  },
): Promise<SavedRule> {
  const { environmentId, id, revision, note, ...rule } = input;
  await changeRules(ctx, { environmentId, revision, note }, (editing) => {
    editing.find(id);
    const errors: FieldError[] = [];
    const next = resolveRule(editing, rule, id, "", errors);
    return { rules: editing.rules.map((each) => (each.id === id ? next : each)), errors };
  });
  return getRule(ctx, { environmentId, id });
}
