import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { authorizeMembers, requireMember } from "./member-rules.ts";
import { lockKeysOf } from "./queries.ts";
import { countUnderWay } from "./member-queries.ts";
import type { MemberInput, MemberKey } from "./schemas.ts";

/**
 * What ends or changes hands when a member is removed or suspended: their valid API keys, and how many promotions under way
 * they approved or asked for and how many invitations of theirs are open. Needs what removing needs.
 */
export async function listMemberKeys(
  ctx: Ctx,
  input: MemberInput,
): Promise<{ data: MemberKey[]; approvals: number; promotions: number; invitations: number }> {
  await authorizeMembers(ctx, null);
  const { tenantId } = ctx;
  return inTenant(ctx, async (tx) => {
    await requireMember(ctx, tx, input.userId);
    const keys = await lockKeysOf(tx, tenantId, input.userId);
    return {
      data: keys.map(({ id, name, hint, environmentId, lastUsedAt }) => ({
        id,
        name,
        hint,
        environmentId,
        lastUsedAt,
      })),
      ...(await countUnderWay(tx, tenantId, input.userId)),
    };
  });
}
