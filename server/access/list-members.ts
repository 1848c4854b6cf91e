import type { Ctx } from "../kernel/ctx.ts";
import { decodeCursor, toPage } from "../kernel/cursor.ts";
import { managedUnits } from "./member-rules.ts";
import { selectMembers } from "./member-queries.ts";
import { listMembersSchema } from "./schemas.ts";
import type { ListMembersInput } from "./schemas.ts";

/** The people and roles that the actor may manage, by name; a team's manager sees the team's. */
export async function listMembers(ctx: Ctx, input: ListMembersInput) {
  const { search, state, role, limit, cursor } = listMembersSchema.parse(input);
  const after = decodeCursor(cursor);
  const rows = await selectMembers(ctx, {
    unitIds: managedUnits(ctx),
    search: search === undefined || search === "" ? null : search,
    state: state ?? null,
    role: role ?? null,
    after: after ?? null,
    limit: limit + 1,
  });
  return toPage(rows, limit, (row) => row);
}
