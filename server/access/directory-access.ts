import { recordAudit, recordAudits } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { endAccess, forgetAccess } from "./end-access.ts";
import { admitMember } from "./admit-member.ts";
import {
  deleteAssignments,
  hasOwner,
  insertDirectoryRoles,
  lockMembers,
  selectDirectoryRoles,
  selectOverfull,
} from "./member-queries.ts";
import type { DirectoryRoleRow } from "./member-queries.ts";
import { grantableRole } from "./member-rules.ts";
import { lockRolesById } from "./role-queries.ts";
import { accessLimits } from "./schemas.ts";

/*
 * What an organisation's directory does to its members. The caller, which knows the directory, has authorised it; what follows
 * from it for accounts and roles is here.
 */

/**
 * Runs `work` in a transaction in which nobody else changes the tenant's members, and lets this process forget what it knew of
 * them.
 */
export async function changeMembers<T>(
  ctx: Pick<Ctx, "db" | "tenantId">,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const result = await inTenant(ctx, async (tx) => {
    await lockMembers(tx, ctx.tenantId);
    return work(tx);
  });
  forgetAccess();
  return result;
}

/** Makes an account without password or roles; who was removed comes back with the same id. Returns the id. */
export function admitFromDirectory(
  ctx: Ctx,
  tx: Tx,
  person: { email: string; name: string },
): Promise<string> {
  const grantedBy = { id: null, name: ctx.actor.name };
  return admitMember(ctx, tx, { ...person, passwordHash: null, assignments: [], grantedBy });
}

/** The account that has an address; removed people are nobody. */
export async function findMemberByEmail(tx: Tx, tenantId: string, email: string): Promise<string | null> {
  const found = await tx.user.findUnique({
    where: { tenantId_email: { tenantId, email } },
    select: { id: true, removedAt: true },
  });
  return found?.removedAt === null ? found.id : null;
}

/** Changes name and address of an account. An address of somebody who was removed is free again. */
export async function renameMember(
  ctx: Ctx,
  tx: Tx,
  person: { userId: string; email: string; name: string },
): Promise<void> {
  const { tenantId } = ctx;
  const { userId, email, name } = person;
  await tx.user.updateMany({
    where: { tenantId, email, removedAt: { not: null }, NOT: { id: userId } },
    data: { email: `${userId}.removed` },
  });
  await tx.user.update({ where: { tenantId_id: { tenantId, id: userId } }, data: { email, name } });
}

/**
 * Locks a member out for as long as the directory has them deactivated; does nothing when it has. Who was suspended by a person
 * stays so, too.
 */
export async function deactivateMember(ctx: Ctx, tx: Tx, userId: string): Promise<void> {
  const { tenantId } = ctx;
  const where = { tenantId_id: { tenantId, id: userId } };
  const member = await tx.user.findUnique({ where });
  if (!member || member.removedAt) throw notFound();
  if (member.deactivatedAt) return;
  const at = ctx.now();
  if (!member.disabledAt) await endAccess(ctx, tx, { userId, how: "suspended" });
  await tx.user.update({
    where,
    data: { deactivatedAt: at, ...(member.disabledAt ? {} : { disabledAt: at }) },
  });
  await recordAudit(ctx, tx, {
    action: "member.deactivated",
    targetType: "user",
    targetId: userId,
    data: { name: member.name },
    before: { active: true },
    after: { active: false },
  });
}

/** Lets in again whom the directory had deactivated; who was suspended by a person before that stays suspended. */
export async function activateMember(ctx: Ctx, tx: Tx, userId: string): Promise<void> {
  const { tenantId } = ctx;
  const where = { tenantId_id: { tenantId, id: userId } };
  const member = await tx.user.findUnique({ where });
  if (!member || member.removedAt) throw notFound();
  const { disabledAt, deactivatedAt } = member;
  if (!deactivatedAt) return;
  const suspendedBefore = disabledAt !== null && disabledAt < deactivatedAt;
  await tx.user.update({
    where,
    data: { deactivatedAt: null, ...(suspendedBefore ? {} : { disabledAt: null }) },
  });
  await recordAudit(ctx, tx, {
    action: "member.activated",
    targetType: "user",
    targetId: userId,
    data: { name: member.name, ...(suspendedBefore ? { suspendedSince: disabledAt } : {}) },
    before: { active: false },
    after: { active: true },
  });
}

/** Removes a member for good, as removeMember does. */
export async function removeFromDirectory(ctx: Ctx, tx: Tx, userId: string): Promise<void> {
  await endAccess(ctx, tx, { userId, how: "removed" });
}

/** A role that the actor may let a group give there, held until the transaction ends. */
export function mappableRole(ctx: Ctx, tx: Tx, key: string, unitId: string | null) {
  return grantableRole(ctx, tx, key, { unitId });
}

/** Roles by id, held until the transaction ends. */
export async function rolesById(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, { key: string; name: string; permissions: string[] }>> {
  const roles = await lockRolesById(tx, tenantId, [...new Set(ids)]);
  return new Map(roles.map((role) => [role.id, role]));
}

/** A role that the directory, or an identity provider, gives somebody. */
export interface DirectoryRole {
  userId: string;
  roleId: string;
  unitId: string | null;
  /** What gives it, as the member's page says it: "group Support". */
  by: string;
}

const place = (role: { userId: string; roleId: string; unitId: string | null }) =>
  `${role.userId} ${role.roleId} ${role.unitId ?? ""}`;

/**
 * Makes what the directory, or with `providerId` that identity provider, gives these people exactly what is wanted; what others
 * gave them stays. An audit event for each who
 * gains or loses something. Throws `conflict` when nobody would own the tenant any more, and for more roles than one person can
 * have.
 */
export async function replaceDirectoryRoles(
  ctx: Ctx,
  tx: Tx,
  userIds: readonly string[],
  wanted: readonly DirectoryRole[],
  providerId: string | null = null,
): Promise<void> {
  const { tenantId } = ctx;
  if (userIds.length === 0) return;
  const roles = await rolesById(
    tx,
    tenantId,
    wanted.map(({ roleId }) => roleId),
  );
  const asked = new Map(
    wanted.filter(({ roleId }) => roles.has(roleId)).map((role) => [place(role), role] as const),
  );
  const held = await selectDirectoryRoles(tx, tenantId, userIds, providerId);
  const known = new Set(held.map(place));
  const lost = held.filter((role) => !asked.has(place(role)));
  const gained = [...asked.values()].filter((role) => !known.has(place(role)));
  if (lost.length === 0 && gained.length === 0) return;
  await deleteAssignments(
    tx,
    tenantId,
    lost.map(({ id }) => id),
  );
  await insertDirectoryRoles(tx, tenantId, gained, { providerId, at: ctx.now() });
  if (lost.some(({ key, unitId }) => key === "owner" && unitId === null) && !(await hasOwner(tx, tenantId))) {
    throw new DomainError("conflict", "This is the last owner. Make someone else an owner first.");
  }
  if (await selectOverfull(tx, tenantId, userIds, accessLimits.assignments)) {
    const limit = String(accessLimits.assignments);
    throw new DomainError("conflict", `Nobody can have more than ${limit} roles. Let fewer be given.`);
  }
  const keyOf = (roleId: string) => roles.get(roleId)?.key ?? "";
  await recordRoleChanges(
    ctx,
    tx,
    held,
    lost,
    gained.map((role) => ({ ...role, key: keyOf(role.roleId) })),
    providerId === null ? "member.directory_roles_changed" : "member.provider_roles_changed",
  );
}

type Changed = Pick<DirectoryRoleRow, "userId" | "key" | "unitId">;

async function recordRoleChanges(
  ctx: Ctx,
  tx: Tx,
  held: readonly Changed[],
  lost: readonly Changed[],
  gained: readonly Changed[],
  action: string,
): Promise<void> {
  const shown = ({ key, unitId }: Changed) => ({ role: key, unitId });
  const before = Map.groupBy(held, ({ userId }) => userId);
  const losing = new Set(lost);
  const gaining = Map.groupBy(gained, ({ userId }) => userId);
  const people = new Set([...lost, ...gained].map(({ userId }) => userId));
  await recordAudits(
    ctx,
    tx,
    [...people].map((userId) => {
      const had = before.get(userId) ?? [];
      const kept = had.filter((role) => !losing.has(role));
      return {
        action,
        targetType: "user",
        targetId: userId,
        before: { roles: had.map(shown) },
        after: { roles: [...kept, ...(gaining.get(userId) ?? [])].map(shown) },
      };
    }),
  );
}
