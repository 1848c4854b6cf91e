import type { Ctx } from "../kernel/ctx.ts";
import { changeRules } from "./change-rules.ts";

/** Deletes a rule; reverting to the previous revision restores it. Returns the environment's new revision. */
export async function deleteRule(
  ctx: Ctx,
  input: {
    environmentId: string;
    id: string;
    revision?: number | undefined;
    note?: string | undefined;
  },
): Promise<{ revision: number }> {
  const { revision } = await changeRules(ctx, input, (editing) => {
    const rule = editing.find(input.id);
    return { rules: editing.rules.filter((each) => each !== rule) };
  });
  return { revision };
}
