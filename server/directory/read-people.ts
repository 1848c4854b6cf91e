import type { Ctx } from "../kernel/ctx.ts";
import { notFound } from "../kernel/errors.ts";
import { isUuid } from "../kernel/ids.ts";
import { selectPeople, selectPerson } from "./queries.ts";
import { parseFilter } from "./scim-filter.ts";
import { pageOf } from "./scim-list.ts";
import type { ListRequest } from "./scim-list.ts";
import { showPerson } from "./scim-user.ts";

/** The people whom the directory sees, by page. Throws `invalidFilter`. */
export async function listPeople(ctx: Ctx, request: ListRequest) {
  const { filter, offset, limit, page } = pageOf(request);
  const { total, rows } = await selectPeople(ctx, {
    filter: filter === null ? null : parseFilter(filter),
    offset,
    limit,
  });
  return page(total, rows.map(showPerson));
}

/** One of them; `not_found` for anybody else, people of other organisations among them. */
export async function getPerson(ctx: Ctx, id: string) {
  const person = isUuid(id) ? await selectPerson(ctx, id) : undefined;
  if (!person) throw notFound();
  return showPerson(person);
}
