import { changes } from "../audit/changes.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { authorize } from "../operations/authorize.ts";
import { builtInRoles } from "../operations/permissions.ts";
import { refuseRepeated } from "../tenancy/unique-violation.ts";
import { refuseEscalation } from "./api-key-scope.ts";
import { forgetApiKeys } from "./authenticate-api-key.ts";
import { roleRevision } from "./list-roles.ts";
import { lockMembers } from "./member-queries.ts";
import { refuseOutdated } from "./revision.ts";
import { countRoleHolders, lockRole } from "./role-queries.ts";
import type { RoleRow } from "./role-queries.ts";
import { accessLimits, createRoleSchema, roleKeySchema, updateRoleSchema } from "./schemas.ts";
import type { CreateRoleInput, RoleKeyInput, UpdateRoleInput } from "./schemas.ts";
import { forgetSessions } from "./sessions.ts";

const taken = "A role with this name already exists.";
/** A role can be given anywhere, so only who manages members everywhere, and may all of it everywhere, says what it is. */
const everywhere = { unitId: null };

/**
 * Makes a role of the organisation's own. Needs members:manage and every permission of it in the whole tenant. Throws
 * `conflict` for a name that is taken and for one role too many.
 */
export async function createRole(ctx: Ctx, input: CreateRoleInput): Promise<{ key: string }> {
  const { name, description, permissions } = createRoleSchema.parse(input);
  authorize(ctx, "members:manage", everywhere);
  refuseEscalation(ctx, permissions, everywhere);
  const { tenantId } = ctx;
  return refuseRepeated("/name", taken, () =>
    inTenant(ctx, async (tx) => {
      await lockMembers(tx, tenantId);
      if ((await tx.role.count({ where: { tenantId, builtIn: false } })) >= accessLimits.customRoles) {
        const limit = String(accessLimits.customRoles);
        throw new DomainError("conflict", `There are ${limit} roles of your own already. Delete one first.`);
      }
      await refuseTaken(tx, tenantId, name, null);
      const key = await freeKey(tx, tenantId, name);
      const id = newId();
      await tx.role.create({
        data: { tenantId, id, key, name, description, permissions, createdAt: ctx.now() },
      });
      await recordAudit(ctx, tx, {
        action: "role.created",
        targetType: "role",
        targetId: id,
        data: { name, key },
        after: { name, description, permissions },
      });
      return { key };
    }),
  );
}

/**
 * Changes a role of the organisation's own, for all who have it at once; keys too. Needs members:manage and every permission
 * that the role had or gets in the whole tenant, so nobody adds to a role that they have what they lack, nor takes from others
 * what is beyond them. Throws `conflict` for a built-in role, and `revision_conflict` when somebody has changed it since it was read.
 */
export async function updateRole(ctx: Ctx, input: UpdateRoleInput): Promise<void> {
  const { key, revision, name, description, permissions } = updateRoleSchema.parse(input);
  authorize(ctx, "members:manage", everywhere);
  refuseEscalation(ctx, permissions, everywhere);
  const { tenantId } = ctx;
  await refuseRepeated("/name", taken, () =>
    inTenant(ctx, async (tx) => {
      const role = await lockOwnRole(ctx, tx, key);
      refuseOutdated("the role", revision, roleRevision(role));
      await refuseTaken(tx, tenantId, name, role.id);
      await tx.role.update({
        where: { tenantId_id: { tenantId, id: role.id } },
        data: { name, description, permissions },
      });
      await recordAudit(ctx, tx, {
        action: "role.changed",
        targetType: "role",
        targetId: role.id,
        data: { name: role.name, key },
        ...changes(fieldsOf(role), { name, description, permissions }),
      });
    }),
  );
  forgetSessions();
  forgetApiKeys();
}

/**
 * Deletes a role of the organisation's own that nobody has. Throws `conflict` for a built-in role and, with `held` in the
 * answer, while people, valid keys, open invitations or groups of the directory have it.
 */
export async function deleteRole(ctx: Ctx, input: RoleKeyInput): Promise<void> {
  const { key } = roleKeySchema.parse(input);
  authorize(ctx, "members:manage", everywhere);
  const { tenantId } = ctx;
  await inTenant(ctx, async (tx) => {
    const role = await lockOwnRole(ctx, tx, key);
    const held = await countRoleHolders(tx, tenantId, role.id);
    if (held.members + held.keys + held.invitations + held.groups > 0) {
      throw new DomainError("conflict", "Someone has this role. Assign another one first.", {
        extra: { held },
      });
    }
    await tx.role.delete({ where: { tenantId_id: { tenantId, id: role.id } } });
    await recordAudit(ctx, tx, {
      action: "role.deleted",
      targetType: "role",
      targetId: role.id,
      data: { name: role.name, key },
      before: fieldsOf(role),
    });
  });
}

/** What of a role its audit events tell. */
const fieldsOf = ({ name, description, permissions }: RoleRow) => ({ name, description, permissions });

/** A role of the organisation's own, held against being given, all of which the actor may. */
async function lockOwnRole(ctx: Ctx, tx: Tx, key: string): Promise<RoleRow> {
  const role = await lockRole(tx, ctx.tenantId, key, "to change");
  if (!role) throw notFound();
  if (role.builtIn) {
    throw new DomainError(
      "conflict",
      "Built-in roles can't be changed. Duplicate the role to create your own.",
    );
  }
  refuseEscalation(ctx, role.permissions, everywhere);
  return role;
}

async function refuseTaken(tx: Tx, tenantId: string, name: string, exceptId: string | null): Promise<void> {
  const same = await tx.role.findFirst({
    where: {
      tenantId,
      name: { equals: name, mode: "insensitive" },
      ...(exceptId === null ? {} : { NOT: { id: exceptId } }),
    },
    select: { id: true },
  });
  if (same) {
    throw new DomainError("conflict", taken, {
      errors: [{ pointer: "/name", code: "taken", detail: "A role with this name already exists" }],
    });
  }
}

/** A key from the name: it never changes, whatever the role is called later. */
async function freeKey(tx: Tx, tenantId: string, name: string): Promise<string> {
  const base =
    name
      .normalize("NFKD")
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "_")
      .slice(0, 40)
      .replaceAll(/^_|_$/g, "") || "role";
  if (!(base in builtInRoles)) {
    const known = await tx.role.findUnique({ where: { tenantId_key: { tenantId, key: base } } });
    if (!known) return base;
  }
  return `${base}_${newId().slice(-8)}`;
}
