import type { Ctx } from "../kernel/ctx.ts";
import { visibleScopes } from "../operations/authorize.ts";
import { selectMembers } from "./queries.ts";

/** The people and roles that the actor may manage; a team's manager sees the team's. */
export async function listMembers(ctx: Ctx) {
  const scopes = visibleScopes(ctx, "members:manage");
  const unitIds = scopes?.flatMap((scope) => (scope.unitId ? [scope.unitId] : [])) ?? null;
  const rows = await selectMembers(ctx, { unitIds });
  return {
    data: rows.map((row) => ({
      id: row.id,
      name: row.name,
      email: row.email,
      createdAt: row.createdAt,
      lastSeenAt: row.lastSeenAt,
      assignments: row.assignments,
    })),
  };
}
