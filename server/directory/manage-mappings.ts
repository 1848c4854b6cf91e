import { changeMembers, mappableRole, rolesById } from "../access/directory-access.ts";
import { authorizeMembers } from "../access/member-rules.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { decodeCursor, toPage } from "../kernel/cursor.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { refuseRepeated } from "../tenancy/unique-violation.ts";
import { applyGroups } from "./apply-groups.ts";
import { authorizeToMap, authorizeToRead } from "./authorize-directory.ts";
import { selectGroupsByName, selectMappings, selectMemberIds } from "./queries.ts";
import { listGroupsSchema, mapGroupSchema, unmapGroupSchema } from "./schemas.ts";
import { directoryLimits } from "./vocabulary.ts";
import type { ListedGroup, ListGroupsInput, MapGroupInput, UnmapGroupInput } from "./schemas.ts";

/** The groups of the directory by name, each with the roles that it gives. */
export async function listMappedGroups(ctx: Ctx, input: ListGroupsInput) {
  const { search, limit, cursor } = listGroupsSchema.parse(input);
  authorizeToRead(ctx);
  const { tenantId } = ctx;
  const rows = await selectGroupsByName(ctx, {
    search: search === undefined || search === "" ? null : search,
    after: decodeCursor(cursor) ?? null,
    limit: limit + 1,
  });
  const page = toPage(rows, limit, (row) => row);
  const { mappings, roles } = await inTenant(ctx, async (tx) => {
    const found = await selectMappings(
      tx,
      tenantId,
      page.data.map(({ id }) => id),
    );
    return {
      mappings: found,
      roles: await rolesById(
        tx,
        tenantId,
        found.map(({ roleId }) => roleId),
      ),
    };
  });
  const data = page.data.map((group): ListedGroup => ({
    ...group,
    roles: mappings
      .filter(({ groupId }) => groupId === group.id)
      .flatMap(({ id, roleId, unitId, createdByName, createdAt }) => {
        const role = roles.get(roleId);
        if (!role) return [];
        const { key, name, permissions } = role;
        return [{ id, role: { key, name, permissions }, unitId, createdBy: createdByName, createdAt }];
      }),
  }));
  return { data, nextCursor: page.nextCursor };
}

/**
 * Lets a group give a role, in a unit or in the whole tenant, to whoever is in it now and later. Needs members:manage in the whole
 * tenant and all of the role's permissions there. Throws `not_found` for an unknown group or unit and `conflict` for a role that
 * the group gives there.
 */
export async function mapGroup(ctx: Ctx, input: MapGroupInput): Promise<{ id: string }> {
  const { groupId, role: key, unitId } = mapGroupSchema.parse(input);
  authorizeToRead(ctx);
  await authorizeMembers(ctx, unitId);
  const { tenantId } = ctx;
  const id = newId();
  return refuseRepeated("/role", "The group gives this role there already.", () =>
    changeMembers(ctx, async (tx) => {
      const group = await tx.directoryGroup.findUnique({ where: { tenantId_id: { tenantId, id: groupId } } });
      if (!group) throw notFound();
      const role = await mappableRole(ctx, tx, key, unitId);
      if ((await tx.directoryMapping.count({ where: { tenantId } })) >= directoryLimits.mappings) {
        const limit = String(directoryLimits.mappings);
        throw new DomainError("conflict", `Groups give ${limit} roles already. Take one away first.`);
      }
      await tx.directoryMapping.create({
        data: {
          tenantId,
          id,
          groupId,
          roleId: role.id,
          unitId,
          createdByName: ctx.actor.name,
          createdAt: ctx.now(),
        },
      });
      const members = await selectMemberIds(tx, tenantId, groupId);
      await recordAudit(ctx, tx, {
        action: "directory_group.role_given",
        targetType: "directory_group",
        targetId: groupId,
        unitId,
        data: { name: group.name, members: members.length },
        before: { role: null },
        after: { role: role.key },
      });
      await applyGroups(ctx, tx, members);
      return { id };
    }),
  );
}

/**
 * Takes a role from a group, and so from its members unless they have it otherwise. Needs what giving it needs. Throws
 * `not_found`, and `conflict` when nobody would own the tenant any more.
 */
export async function unmapGroup(ctx: Ctx, input: UnmapGroupInput): Promise<void> {
  const { id } = unmapGroupSchema.parse(input);
  authorizeToRead(ctx);
  const { tenantId } = ctx;
  await changeMembers(ctx, async (tx) => {
    const where = { tenantId_id: { tenantId, id } };
    const mapping = await tx.directoryMapping.findUnique({ where });
    if (!mapping) throw notFound();
    const { groupId, roleId, unitId } = mapping;
    const role = (await rolesById(tx, tenantId, [roleId])).get(roleId);
    authorizeToMap(ctx, role?.permissions ?? [], unitId);
    const group = await tx.directoryGroup.findUnique({ where: { tenantId_id: { tenantId, id: groupId } } });
    await tx.directoryMapping.delete({ where });
    const members = await selectMemberIds(tx, tenantId, groupId);
    await recordAudit(ctx, tx, {
      action: "directory_group.role_taken",
      targetType: "directory_group",
      targetId: groupId,
      unitId,
      data: { name: group?.name, members: members.length },
      before: { role: role?.key },
      after: { role: null },
    });
    await applyGroups(ctx, tx, members);
  });
}
