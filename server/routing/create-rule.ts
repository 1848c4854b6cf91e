import type { Ctx } from "../kernel/ctx.ts";
import type { FieldError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { changeRules } from "./change-rules.ts";
import { resolveRule } from "./check-rules.ts";
import { getRule } from "./get-rule.ts";
import type { RuleInput, SavedRule } from "./schemas.ts";

/** Adds a rule to an environment. See changeRules for refusals. */
export async function createRule(
  ctx: Ctx,
  input: RuleInput & { environmentId: string; revision?: number | undefined; note?: string | undefined },
): Promise<SavedRule> {
  const { environmentId, revision, note, ...rule } = input;
  const id = newId();
  await changeRules(ctx, { environmentId, revision, note }, (editing) => {
    const errors: FieldError[] = [];
    return { rules: [...editing.rules, resolveRule(editing, rule, id, "", errors)], errors };
  });
  return getRule(ctx, { environmentId, id });
}
