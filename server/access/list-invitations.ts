import type { Ctx } from "../kernel/ctx.ts";
import { decodeCursor, toPage } from "../kernel/cursor.ts";
import { managedUnits } from "./member-rules.ts";
import { selectInvitations } from "./invitation-queries.ts";
import { selectRoles } from "./role-queries.ts";
import { listInvitationsSchema } from "./schemas.ts";
import type { ListInvitationsInput } from "./schemas.ts";

/**
 * Invitations that were neither accepted nor withdrawn, newest first; a team's manager sees those that are for the team
 * alone. Their links are known to nobody but whoever has them.
 */
export async function listInvitations(ctx: Ctx, input: ListInvitationsInput) {
  const { limit, cursor } = listInvitationsSchema.parse(input);
  const before = decodeCursor(cursor) ?? null;
  const [rows, roles] = await Promise.all([
    selectInvitations(ctx, { unitIds: managedUnits(ctx), before, limit: limit + 1 }),
    selectRoles(ctx),
  ]);
  const names = new Map(roles.map(({ id, name }) => [id, name]));
  return toPage(rows, limit, (row) => ({
    id: row.id,
    email: row.email,
    name: row.name,
    assignments: row.assignments.map(({ roleId, unitId }) => ({
      roleName: names.get(roleId) ?? "deleted",
      unitId,
    })),
    invitedBy: row.invitedByName,
    sentAt: row.linkedAt,
    expiresAt: row.expiresAt,
    expired: row.expiresAt <= ctx.now(),
  }));
}
