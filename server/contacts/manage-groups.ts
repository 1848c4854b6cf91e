import { isDeepStrictEqual } from "node:util";
import { outdated } from "../access/revision.ts";
import { changes } from "../audit/changes.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { decodeCursor, toPage } from "../kernel/cursor.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { enqueue } from "../kernel/tasks.ts";
import { refuseRepeated } from "../tenancy/unique-violation.ts";
import { accessContacts } from "./contact-access.ts";
import {
  beginCounting,
  countGroups,
  deleteGroup as deleteRow,
  deleteMembers,
  insertGroup,
  insertMembers,
  lockContacts,
  lockGroup,
  selectGroup,
  selectGroupPage,
  selectIdsOf,
  updateGroup as updateRow,
} from "./queries.ts";
import type { GroupRow } from "./queries.ts";
import { contactLimits } from "./vocabulary.ts";
import type {
  ContactFilter,
  ContactGroup,
  GroupCreate,
  GroupListQuery,
  GroupUpdate,
  Members,
} from "./schemas.ts";
import { countContactGroup } from "./tasks.ts";

/** Sizes older than this are counted again when somebody looks. */
const freshMs = 10 * 60_000;

function present({ filter, countedAt, createdAt, updatedAt, ...group }: GroupRow): ContactGroup {
  return {
    ...group,
    filter: filter as ContactFilter | null,
    countedAt: countedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/** Groups, newest first. */
export async function listGroups(
  ctx: Ctx,
  input: GroupListQuery,
): Promise<{ data: ContactGroup[]; nextCursor: string | null }> {
  await accessContacts(ctx, "contacts:read");
  const rows = await selectGroupPage(ctx, {
    before: decodeCursor(input.cursor) ?? null,
    search: input.search ?? null,
    kind: input.kind ?? null,
    limit: input.limit + 1,
  });
  await countStale(ctx, rows);
  return toPage(rows, input.limit, present);
}

export async function getGroup(ctx: Ctx, input: { id: string }): Promise<ContactGroup> {
  await accessContacts(ctx, "contacts:read");
  const row = await selectGroup(ctx, input.id);
  if (!row) throw notFound();
  await countStale(ctx, [row]);
  return present(row);
}

/** Groups by filter whose size is old are counted again, each by one job at a time. */
async function countStale(ctx: Ctx, rows: readonly GroupRow[]): Promise<void> {
  const stale = new Date(ctx.now().getTime() - freshMs);
  const old = rows.filter(({ kind, countedAt }) => kind === "filter" && (!countedAt || countedAt < stale));
  if (old.length === 0) return;
  await inTenant(ctx, async (tx) => {
    const ids = await beginCounting(
      tx,
      ctx.tenantId,
      old.map(({ id }) => id),
      { now: ctx.now(), stale },
    );
    for (const groupId of ids)
      await enqueue(tx, countContactGroup, { tenantId: ctx.tenantId, groupId }, { priority: 50 });
  });
}

const taken = "A group with this name already exists.";

/** Adds a group: of those who match a filter, or one that contacts are put into. */
export async function createGroup(ctx: Ctx, input: GroupCreate): Promise<ContactGroup> {
  await accessContacts(ctx, "contacts:write");
  const { name, description } = input;
  const filter = input.filter ?? null;
  const id = newId();
  await refuseRepeated("/name", taken, () =>
    inTenant(ctx, async (tx) => {
      await lockContacts(tx, ctx.tenantId);
      if ((await countGroups(tx, ctx.tenantId)) >= contactLimits.groups) {
        throw new DomainError(
          "conflict",
          `An organisation can have at most ${contactLimits.groups.toLocaleString("en")} groups. Delete one that nobody uses.`,
        );
      }
      await insertGroup(tx, ctx.tenantId, { id, name, description, filter, at: ctx.now() });
      if (filter) await enqueue(tx, countContactGroup, { tenantId: ctx.tenantId, groupId: id });
      await recordAudit(ctx, tx, {
        action: "contact_group.created",
        targetType: "contact_group",
        targetId: id,
        after: { name, description, kind: filter ? "filter" : "static", filter },
        data: { name },
      });
    }),
  );
  return shown(ctx, id);
}

/**
 * Changes a group; what the input leaves out stays. Throws `revision_conflict` when the filter that the change is based on is given, and
 * somebody has changed it since.
 */
export async function updateGroup(
  ctx: Ctx,
  input: { id: string; changes: GroupUpdate },
): Promise<ContactGroup> {
  await accessContacts(ctx, "contacts:write");
  await refuseRepeated("/name", taken, () =>
    inTenant(ctx, async (tx) => {
      const before = await lockGroup(tx, ctx.tenantId, input.id);
      if (!before) throw notFound();
      if (input.changes.filter && before.kind === "static") {
        throw new DomainError("conflict", "Contacts are added to this group. It has no filter.");
      }
      const { expectedFilter: expected, ...wanted } = input.changes;
      if (expected && !isDeepStrictEqual(expected, before.filter)) throw outdated("the filter");
      const facts = { name: before.name, description: before.description, filter: before.filter };
      const differing = changes(facts, wanted);
      if (Object.keys(differing.after).length === 0) return;
      await updateRow(tx, ctx.tenantId, input.id, { ...facts, ...differing.after, at: ctx.now() });
      if (differing.after.filter) {
        await beginCounting(tx, ctx.tenantId, [input.id], { now: ctx.now(), stale: null });
        await enqueue(tx, countContactGroup, { tenantId: ctx.tenantId, groupId: input.id });
      }
      await recordAudit(ctx, tx, {
        action: "contact_group.updated",
        targetType: "contact_group",
        targetId: input.id,
        data: { name: input.changes.name ?? before.name },
        ...differing,
      });
    }),
  );
  return shown(ctx, input.id);
}

async function shown(ctx: Ctx, id: string): Promise<ContactGroup> {
  const row = await selectGroup(ctx, id);
  if (!row) throw notFound();
  return present(row);
}

/** Deletes a group. Its contacts stay. */
export async function deleteGroup(ctx: Ctx, input: { id: string }): Promise<void> {
  await accessContacts(ctx, "contacts:write");
  await inTenant(ctx, async (tx) => {
    await lockContacts(tx, ctx.tenantId);
    const before = await lockGroup(tx, ctx.tenantId, input.id);
    if (!before) throw notFound();
    await deleteRow(tx, ctx.tenantId, input.id);
    const { name, description, kind, filter } = before;
    await recordAudit(ctx, tx, {
      action: "contact_group.deleted",
      targetType: "contact_group",
      targetId: input.id,
      data: { name },
      before: { name, description, kind, filter },
    });
  });
}

/** Puts contacts into a group. */
export const addMembers = (ctx: Ctx, input: Members & { id: string }) => changeMembers(ctx, input, true);

/** Takes contacts out of a group. */
export const removeMembers = (ctx: Ctx, input: Members & { id: string }) => changeMembers(ctx, input, false);

async function changeMembers(
  ctx: Ctx,
  input: Members & { id: string },
  joins: boolean,
): Promise<{ changed: number; unknown: string[] }> {
  await accessContacts(ctx, "contacts:write");
  return inTenant(ctx, async (tx) => {
    await lockContacts(tx, ctx.tenantId);
    const group = await lockGroup(tx, ctx.tenantId, input.id);
    if (!group) throw notFound();
    if (group.kind === "filter") {
      throw new DomainError(
        "conflict",
        "The filter decides who is in this group. Change the filter instead.",
      );
    }
    const found = await selectIdsOf(tx, ctx.tenantId, input);
    const known = new Set(found.flatMap(({ id, externalId }) => [id, ...(externalId ? [externalId] : [])]));
    const ids = found.map(({ id }) => id);
    const changed = joins
      ? (
          await insertMembers(
            tx,
            ctx.tenantId,
            ids.map((contactId) => ({ groupId: group.id, contactId })),
            ctx.now(),
          )
        ).length
      : await deleteMembers(tx, ctx.tenantId, group.id, ids);
    if (changed > 0) {
      await recordAudit(ctx, tx, {
        action: joins ? "contact_group.members_added" : "contact_group.members_removed",
        targetType: "contact_group",
        targetId: group.id,
        data: { name: group.name, contacts: changed },
      });
    }
    return {
      changed,
      unknown: [...input.contactIds, ...input.externalIds].filter((text) => !known.has(text)),
    };
  });
}
