import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { endAccess, forgetAccess } from "./end-access.ts";
import type { EndedKeys } from "./end-keys.ts";
import { authorizeMembers } from "./member-rules.ts";
import { endMembershipSchema } from "./schemas.ts";
import type { EndMembershipInput } from "./schemas.ts";

/**
 * Takes away a person's account: roles, password, second factor, sessions, API keys and the invitations that they sent or that
 * wait for them. Their keys are revoked, which holds everywhere within two seconds, or with `handKeysTo` belong to another member from now on. What they did
 * stays in the audit trail under their name; their approvals of promotions under way no longer count. Needs members:manage in
 * the whole tenant and all that the person, and each key handed over, may do. Throws `conflict` for oneself and for the last
 * owner, `invalid_request` when the keys are to go to somebody who is no member.
 */
export async function removeMember(ctx: Ctx, input: EndMembershipInput): Promise<EndedKeys> {
  const { userId, handKeysTo } = endMembershipSchema.parse(input);
  await authorizeMembers(ctx, null);
  const keys = await inTenant(ctx, (tx) => endAccess(ctx, tx, { userId, how: "removed", handKeysTo }));
  forgetAccess();
  return keys;
}
