import type { Ctx } from "../kernel/ctx.ts";
import { notFound } from "../kernel/errors.ts";
import { listRules } from "./list-rules.ts";
import type { SavedRule } from "./schemas.ts";

/** One rule and the revision of its environment. Throws `not_found` for one that the caller does not see. */
export async function getRule(ctx: Ctx, input: { environmentId: string; id: string }): Promise<SavedRule> {
  const { data, revision } = await listRules(ctx, input);
  const rule = data.find((each) => each.id === input.id);
  if (!rule) throw notFound();
  return { ...rule, revision };
}
