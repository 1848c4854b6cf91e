import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { notFound } from "../kernel/errors.ts";
import { authorizeMembers } from "./member-rules.ts";
import { lockKeysOf } from "./queries.ts";
import type { MemberKey } from "./schemas.ts";

/**
 * A member's valid API keys: the ones that are revoked or handed over when the member is removed. Needs the same
 * permissions as removing.
 */
export async function listMemberKeys(ctx: Ctx, input: { userId: string }): Promise<{ data: MemberKey[] }> {
  await authorizeMembers(ctx, null);
  const { tenantId } = ctx;
  const keys = await inTenant(ctx, async (tx) => {
    const member = await tx.user.findUnique({ where: { tenantId_id: { tenantId, id: input.userId } } });
    if (!member || member.disabledAt) throw notFound();
    return lockKeysOf(tx, tenantId, input.userId);
  });
  return {
    data: keys.map(({ id, name, hint, environmentId, lastUsedAt }) => ({
      id,
      name,
      hint,
      environmentId,
      lastUsedAt,
    })),
  };
}
