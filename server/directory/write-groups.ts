import { changeMembers } from "../access/directory-access.ts";
import { changes } from "../audit/changes.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { isUuid, newId } from "../kernel/ids.ts";
import { applyGroups } from "./apply-groups.ts";
import { selectMappings, selectMemberIds, visiblePeople } from "./queries.ts";
import { directoryLimits } from "./vocabulary.ts";
import { scimError } from "./scim-error.ts";
import { readGroup, showGroup } from "./scim-group.ts";
import { readGroupChanges } from "./scim-patch.ts";
import type { GroupChange } from "./scim-patch.ts";

/** Members that one audit event names; who gains or loses a role has an event of their own. */
const maxNamed = 200;

/** Makes a group of the directory. It gives nothing until somebody says which role. Throws `uniqueness`, `invalidValue`. */
export async function createGroup(ctx: Ctx, body: unknown) {
  const { name, externalId, userIds } = readGroup(body);
  const { tenantId } = ctx;
  const id = newId();
  const at = ctx.now();
  await changeMembers(ctx, async (tx) => {
    if ((await tx.directoryGroup.count({ where: { tenantId } })) >= directoryLimits.groups) {
      throw new DomainError("conflict", `There are ${String(directoryLimits.groups)} groups already.`);
    }
    await refuseTaken(tx, tenantId, id, externalId);
    await requirePeople(tx, tenantId, userIds);
    await tx.directoryGroup.create({
      data: { tenantId, id, name, externalId, createdAt: at, updatedAt: at },
    });
    await addMembers(tx, tenantId, id, userIds);
    await recordAudit(ctx, tx, {
      action: "directory_group.created",
      targetType: "directory_group",
      targetId: id,
      data: { name, added: userIds.slice(0, maxNamed) },
      after: { name, externalId, members: userIds.length },
    });
  });
  return showGroup({ id, name, externalId, createdAt: at, updatedAt: at }, null);
}

/** Replaces name and members of a group. Throws as the other changes do. */
export function replaceGroup(ctx: Ctx, id: string, body: unknown) {
  const { name, externalId, userIds } = readGroup(body);
  return changeGroup(ctx, id, [
    { what: "name", name },
    { what: "externalId", externalId },
    { what: "replace", userIds },
  ]);
}

/** Changes a group (PATCH). Throws as the other changes do. */
export function patchGroup(ctx: Ctx, id: string, body: unknown) {
  return changeGroup(ctx, id, readGroupChanges(body));
}

/**
 * Changes a group, and at once what its members have from it. Throws `not_found`, `uniqueness`, `invalidValue` for members who are
 * not people that the directory sees, and `conflict` when nobody would own the tenant any more.
 */
async function changeGroup(ctx: Ctx, id: string, wanted: readonly GroupChange[]): Promise<void> {
  if (!isUuid(id)) throw notFound();
  const { tenantId } = ctx;
  await changeMembers(ctx, async (tx) => {
    const group = await tx.directoryGroup.findUnique({ where: { tenantId_id: { tenantId, id } } });
    if (!group) throw notFound();
    const before = new Set(await selectMemberIds(tx, tenantId, id));
    const after = new Set(before);
    let { name, externalId } = group;
    for (const change of wanted) {
      if (change.what === "name") ({ name } = change);
      else if (change.what === "externalId") ({ externalId } = change);
      else changeSet(after, change.what, change.userIds);
    }
    const added = [...after].filter((userId) => !before.has(userId));
    const removed = [...before].filter((userId) => !after.has(userId));
    await requirePeople(tx, tenantId, added);
    if (externalId !== group.externalId) await refuseTaken(tx, tenantId, id, externalId);
    const changed = changes(
      { name: group.name, externalId: group.externalId, members: before.size },
      { name, externalId, members: after.size },
    );
    if (added.length + removed.length === 0 && Object.keys(changed.after).length === 0) return;
    await tx.directoryGroup.update({
      where: { tenantId_id: { tenantId, id } },
      data: { name, externalId, updatedAt: ctx.now() },
    });
    await tx.directoryGroupMember.deleteMany({ where: { tenantId, groupId: id, userId: { in: removed } } });
    await addMembers(tx, tenantId, id, added);
    await recordAudit(ctx, tx, {
      action: "directory_group.changed",
      targetType: "directory_group",
      targetId: id,
      data: { name, added: added.slice(0, maxNamed), removed: removed.slice(0, maxNamed) },
      ...changed,
    });
    await applyGroups(ctx, tx, [...added, ...removed]);
  });
}

/** Deletes a group, and takes from its members what it gave them. Throws `not_found`, and `conflict` as changes do. */
export async function deleteGroup(ctx: Ctx, id: string): Promise<void> {
  if (!isUuid(id)) throw notFound();
  const { tenantId } = ctx;
  await changeMembers(ctx, async (tx) => {
    const where = { tenantId_id: { tenantId, id } };
    const group = await tx.directoryGroup.findUnique({ where });
    if (!group) throw notFound();
    const members = await selectMemberIds(tx, tenantId, id);
    const mappings = await selectMappings(tx, tenantId, [id]);
    await tx.directoryGroupMember.deleteMany({ where: { tenantId, groupId: id } });
    await tx.directoryMapping.deleteMany({ where: { tenantId, groupId: id } });
    await tx.directoryGroup.delete({ where });
    await recordAudit(ctx, tx, {
      action: "directory_group.deleted",
      targetType: "directory_group",
      targetId: id,
      data: { name: group.name },
      before: {
        name: group.name,
        externalId: group.externalId,
        members: members.length,
        roles: mappings.map(({ roleId, unitId }) => ({ roleId, unitId })),
      },
    });
    await applyGroups(ctx, tx, members);
  });
}

function changeSet(set: Set<string>, what: "add" | "remove" | "replace", userIds: readonly string[]): void {
  if (what === "replace") set.clear();
  for (const userId of userIds) {
    if (what === "remove") set.delete(userId);
    else set.add(userId);
  }
  if (set.size > directoryLimits.membersOfGroup) {
    throw scimError("tooMany", `A group may have ${String(directoryLimits.membersOfGroup)} members.`);
  }
}

/** Who is not to be seen by the directory is unknown to it, whoever they are. */
async function requirePeople(tx: Tx, tenantId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const known = ids.every(isUuid) ? await visiblePeople(tx, tenantId, ids) : new Set<string>();
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length === 0) return;
  throw scimError("invalidValue", `${String(unknown.length)} of the members are not users here.`);
}

async function addMembers(
  tx: Tx,
  tenantId: string,
  groupId: string,
  userIds: readonly string[],
): Promise<void> {
  await tx.directoryGroupMember.createMany({
    data: userIds.map((userId) => ({ tenantId, groupId, userId })),
    skipDuplicates: true,
  });
}

async function refuseTaken(tx: Tx, tenantId: string, id: string, externalId: string | null): Promise<void> {
  if (externalId === null) return;
  const same = await tx.directoryGroup.findFirst({
    where: { tenantId, externalId, NOT: { id } },
    select: { id: true },
  });
  if (same) throw scimError("uniqueness", "Another group has this externalId.");
}
