import type { Ctx } from "../kernel/ctx.ts";
import { changeRules } from "./change-rules.ts";

/** Deletes a rule; going back to the revision before brings it back. Returns the environment's revision now. */
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
