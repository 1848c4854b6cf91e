import type { Ctx } from "../kernel/ctx.ts";
import type { FieldError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { changeRules } from "./change-rules.ts";
import { resolveRule } from "./check-rules.ts";
import { listRules } from "./list-rules.ts";
import type { RuleInput, RuleList } from "./schemas.ts";

/**
 * Replaces the rules that the actor manages by the given ones: a known id changes that rule, no id adds one, rules that
 * are not listed are deleted. Rules that the actor may not manage stay, listed or not; listing them changed is refused.
 */
export async function replaceRules(
  ctx: Ctx,
  input: {
    environmentId: string;
    revision: number;
    note?: string | undefined;
    rules: (RuleInput & { id?: string | undefined })[];
  },
): Promise<RuleList> {
  await changeRules(ctx, input, (editing) => {
    const errors: FieldError[] = [];
    const pointers = new Map<string, string>();
    const listed = input.rules.map(({ id, ...rule }, index) => {
      const pointer = `/rules/${String(index)}`;
      if (id !== undefined && (pointers.has(id) || !isKnown(() => editing.find(id)))) {
        errors.push({
          pointer: `${pointer}/id`,
          code: pointers.has(id) ? "duplicate" : "unknown_rule",
          detail: pointers.has(id)
            ? "The same rule is listed twice"
            : "There is no such rule here; leave the id out to add one",
        });
      }
      const stored = resolveRule(editing, rule, id ?? newId(), pointer, errors);
      pointers.set(stored.id, pointer);
      return stored;
    });
    const others = editing.rules.filter((rule) => !pointers.has(rule.id) && !editing.manages(rule));
    return { rules: [...others, ...listed], pointers, errors };
  });
  return listRules(ctx, input);
}

function isKnown(find: () => unknown): boolean {
  try {
    find();
    return true;
  } catch {
    return false;
  }
}
