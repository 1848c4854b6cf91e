import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import { changeRules } from "./change-rules.ts";
import { specificity } from "./choose-route.ts";
import { listRules } from "./list-rules.ts";
import { prioritiesFor } from "./rule-set.ts";
import type { RuleList } from "./schemas.ts";

/**
 * Puts equally specific rules into the given order by changing as few priorities as possible. Throws `invalid_request`
 * for rules of unequal specificity, whose order priorities do not decide.
 */
export async function reorderRules(
  ctx: Ctx,
  input: {
    environmentId: string;
    order: string[];
    revision?: number | undefined;
    note?: string | undefined;
  },
): Promise<RuleList> {
  await changeRules(ctx, input, (editing) => {
    const ordered = [...new Set(input.order)].map((id) => editing.find(id));
    if (new Set(ordered.map(specificity)).size > 1) {
      const detail = "Only rules with equally many conditions are ordered by priority";
      throw new DomainError("invalid_request", `${detail}; the more specific rule always decides.`, {
        errors: [{ pointer: "/order", code: "unequal_specificity", detail }],
      });
    }
    const priorities = prioritiesFor(ordered);
    return {
      rules: editing.rules.map((rule) => ({ ...rule, priority: priorities.get(rule.id) ?? rule.priority })),
    };
  });
  return listRules(ctx, input);
}
