import type { Ctx } from "../kernel/ctx.ts";
import { notFound } from "../kernel/errors.ts";
import { isUuid } from "../kernel/ids.ts";
import { selectGroups, selectMembersOf } from "./queries.ts";
import { parseFilter } from "./scim-filter.ts";
import { pageOf } from "./scim-list.ts";
import type { ListRequest } from "./scim-list.ts";
import { showGroup } from "./scim-group.ts";

/** Members in one answer: a page of groups is shorter rather than longer than that, but has one group at least. */
const maxMembers = 10_000;

/** Groups, by page, with who is in them or without. Throws `invalidFilter`. */
export async function listGroups(ctx: Ctx, request: ListRequest & { withMembers: boolean }) {
  const { filter, offset, limit, page } = pageOf(request);
  const { total, rows } = await selectGroups(ctx, {
    filter: filter === null ? null : parseFilter(filter),
    offset,
    limit,
  });
  if (!request.withMembers)
    return page(
      total,
      rows.map((row) => showGroup(row, null)),
    );
  let members = 0;
  // Counts only go up: what comes after the first that does not fit does not fit either.
  const shown = rows.filter((row, index) => (members += row.members) <= maxMembers || index === 0);
  const inGroups = await selectMembersOf(
    ctx,
    shown.map(({ id }) => id),
  );
  return page(
    total,
    shown.map((row) => showGroup(row, inGroups.get(row.id) ?? [])),
  );
}

/** One group; `not_found` for an unknown one, those of other organisations among them. */
export async function getGroup(ctx: Ctx, id: string, withMembers: boolean) {
  if (!isUuid(id)) throw notFound();
  const { rows } = await selectGroups(ctx, {
    filter: { op: "eq", attrPath: "id", compValue: id },
    offset: 0,
    limit: 1,
  });
  const [group] = rows;
  if (!group) throw notFound();
  return showGroup(group, withMembers ? ((await selectMembersOf(ctx, [id])).get(id) ?? []) : null);
}
