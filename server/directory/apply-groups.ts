import { replaceDirectoryRoles } from "../access/directory-access.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { selectWantedRoles } from "./queries.ts";

/** What the groups of these people give them, made so. */
export async function applyGroups(ctx: Ctx, tx: Tx, userIds: readonly string[]): Promise<void> {
  const ids = [...new Set(userIds)];
  await replaceDirectoryRoles(ctx, tx, ids, await wantedOf(ctx, tx, ids));
}

async function wantedOf(ctx: Ctx, tx: Tx, userIds: readonly string[]) {
  const wanted = await selectWantedRoles(tx, ctx.tenantId, userIds);
  return wanted.map(({ group, ...role }) => ({ ...role, by: `group ${group}` }));
}
