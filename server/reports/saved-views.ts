import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { writeNotices } from "../notices/write-notices.ts";
import { authorizeSomewhere, may, maySomewhere } from "../operations/authorize.ts";
import type { Permission } from "../operations/permissions.ts";
import {
  countViews,
  deleteView,
  hasView,
  insertView,
  selectSchedulers,
  selectView,
  selectViews,
  updateView,
} from "./queries.ts";
import type { ViewRow } from "./queries.ts";
import { reportLimits } from "./vocabulary.ts";
import type { SavedView } from "./schemas.ts";
import type { ViewPage } from "./vocabulary.ts";

/** Who sees a page sees the views of it that are shared. */
export const pagePermission: Record<ViewPage, Permission> = {
  messages: "notifications:read",
  overview: "notifications:read",
  costs: "costs:read",
  delivery: "reports:read",
};

/** Of an address: a place in a list and an open row are no part of a view. */
const passing = ["cursor", "open"];

/** The person whose views these are. An API key has none. */
export function reader(ctx: Ctx): { id: string; name: string } {
  if (ctx.actor.type === "user") return ctx.actor;
  throw new DomainError("permission_denied", "Only people have views.");
}

/** Sharing asks for the page in the whole organisation: whoever sees one team's part of it keeps their views to themselves. */
const mayShare = (ctx: Ctx, page: ViewPage) => may(ctx, pagePermission[page], {});
const mayChange = (ctx: Ctx, row: ViewRow) =>
  row.userId === ctx.actor.id || (row.shared && may(ctx, "settings:manage", {}));

function present(ctx: Ctx, row: ViewRow): SavedView {
  const { id, page, name, query, shared, userName: by, reports, reportsOfOthers } = row;
  return {
    id,
    page,
    name,
    query,
    shared,
    by,
    own: row.userId === ctx.actor.id,
    mayChange: mayChange(ctx, row),
    reports,
    reportsOfOthers,
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** A view that the caller has or shares; `not_found` for all others. */
export async function requireView(ctx: Ctx, id: string): Promise<ViewRow> {
  const row = await selectView(ctx, id);
  if (!row || (row.userId !== reader(ctx).id && !row.shared)) throw notFound();
  if (!maySomewhere(ctx, pagePermission[row.page])) throw notFound();
  return row;
}

/** The caller's own views of a page, and those that are shared; and whether the caller may share one. */
export async function listViews(
  ctx: Ctx,
  input: { page: ViewPage },
): Promise<{ data: SavedView[]; mayShare: boolean }> {
  authorizeSomewhere(ctx, pagePermission[input.page]);
  const rows = await selectViews(ctx, input.page, reader(ctx).id);
  return { data: rows.map((row) => present(ctx, row)), mayShare: mayShare(ctx, input.page) };
}

/** What of an address is kept. */
export function plainQuery(query: string): string {
  const parameters = new URLSearchParams(query);
  for (const name of passing) parameters.delete(name);
  return parameters.toString();
}

/** Keeps what a page shows under a name. Throws `conflict` for a name that is taken and beyond the most that are kept. */
export async function saveView(
  ctx: Ctx,
  input: { page: ViewPage; name: string; query: string; shared: boolean },
): Promise<SavedView> {
  const { page, name, shared } = input;
  const user = reader(ctx);
  authorizeSomewhere(ctx, pagePermission[page]);
  requireShare(ctx, page, shared);
  const { tenantId } = ctx;
  const now = ctx.now();
  const id = newId();
  const row = {
    id,
    page,
    name,
    query: plainQuery(input.query),
    shared,
    userId: user.id,
    userName: user.name,
  };
  await inTenant(ctx, async (tx) => {
    const counts = await countViews(tx, tenantId, user.id);
    if (counts.own >= reportLimits.views)
      throw new DomainError(
        "conflict",
        `You have ${String(counts.own)} views, which is the most. Delete one first.`,
      );
    refuseMoreShared(counts.shared, shared);
    if (await hasView(tx, { tenantId, userId: user.id, page, name })) throw taken(name);
    await insertView(tx, { tenantId, ...row, createdAt: now, updatedAt: now });
    await recordAudit(ctx, tx, {
      action: "view.saved",
      targetType: "view",
      targetId: id,
      after: { page, name, shared },
    });
  });
  return present(ctx, { ...row, updatedAt: now, reports: 0, reportsOfOthers: 0 });
}

function requireShare(ctx: Ctx, page: ViewPage, shared: boolean): void {
  if (shared && !mayShare(ctx, page)) {
    throw new DomainError(
      "permission_denied",
      `Sharing it needs the permission ${pagePermission[page]} in the whole organisation.`,
    );
  }
}

function refuseMoreShared(count: number, shared: boolean): void {
  if (shared && count >= reportLimits.sharedViews) {
    throw new DomainError(
      "conflict",
      `${String(count)} views are shared, which is the most. Delete one first, or keep this one to yourself.`,
    );
  }
}

const taken = (name: string) =>
  new DomainError("conflict", `You have a view “${name}” of this page already.`, {
    errors: [{ pointer: "/name", code: "taken", detail: "You have a view of this name already" }],
  });

/**
 * Renames a view, shares it or not, or has it show something else. Others' reports of a view that is no longer shared are not sent
 * until it is again; whoever scheduled them is told.
 */
export async function changeView(
  ctx: Ctx,
  input: {
    id: string;
    name?: string | undefined;
    query?: string | undefined;
    shared?: boolean | undefined;
  },
): Promise<SavedView> {
  const row = await requireView(ctx, input.id);
  if (!mayChange(ctx, row)) throw new DomainError("permission_denied", "This view is somebody else’s.");
  const { name = row.name, shared = row.shared } = input;
  const query = input.query === undefined ? row.query : plainQuery(input.query);
  requireShare(ctx, row.page, shared && !row.shared);
  const { tenantId } = ctx;
  const updatedAt = ctx.now();
  await inTenant(ctx, async (tx) => {
    const counts = await countViews(tx, tenantId, row.userId);
    refuseMoreShared(counts.shared, shared && !row.shared);
    const same = { tenantId, userId: row.userId, page: row.page, name };
    if (await hasView(tx, { ...same, but: row.id })) throw taken(name);
    await updateView(tx, tenantId, row.id, {
      // What the input leaves out stays, also when somebody else is changing it.
      name: input.name,
      query: input.query === undefined ? undefined : query,
      shared: input.shared,
      updatedAt,
    });
    if (row.shared && !shared) await tellSchedulers(ctx, tx, row, "report.view_unshared");
    await recordAudit(ctx, tx, {
      action: "view.changed",
      targetType: "view",
      targetId: row.id,
      before: { name: row.name, shared: row.shared },
      after: { name, shared },
    });
  });
  return present(ctx, { ...row, name, query, shared, updatedAt });
}

/** Tells those who have scheduled reports of a view that these end, or are not sent for now. */
async function tellSchedulers(
  ctx: Ctx,
  tx: Tx,
  { id, name, userId }: ViewRow,
  kind: "report.view_unshared" | "report.view_deleted",
): Promise<void> {
  const user = reader(ctx);
  // Its maker keeps a view that is not shared.
  const but = kind === "report.view_deleted" ? [user.id] : [user.id, userId];
  const people = await selectSchedulers(tx, ctx.tenantId, id, but);
  const data = { view: name, by: user.name };
  await writeNotices(ctx, tx, people, { kind, targetType: "view", targetId: id, data });
}

/** Deletes a view, and the mails about it; whoever scheduled these is told. */
export async function removeView(ctx: Ctx, input: { id: string }): Promise<{ id: string }> {
  const row = await requireView(ctx, input.id);
  if (!mayChange(ctx, row)) throw new DomainError("permission_denied", "This view is somebody else’s.");
  await inTenant(ctx, async (tx) => {
    await tellSchedulers(ctx, tx, row, "report.view_deleted");
    await deleteView(tx, ctx.tenantId, row.id);
    await recordAudit(ctx, tx, {
      action: "view.deleted",
      targetType: "view",
      targetId: row.id,
      before: { page: row.page, name: row.name, shared: row.shared, reports: row.reports },
    });
  });
  return { id: row.id };
}
