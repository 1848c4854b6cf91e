import { randomBytes } from "node:crypto";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { refuseRepeated } from "../tenancy/unique-violation.ts";
import { authorizeMembers, grantableRole } from "./member-rules.ts";
import { hashPassword } from "./password.ts";
import { addMemberSchema } from "./schemas.ts";
import type { AddMemberInput } from "./schemas.ts";

/**
 * Gives somebody a role, and an account if they have none. Needs members:manage where the role applies and all of the
 * role's permissions. Returns the initial password once; whoever adds the member passes it on, and the member changes
 * it. A colleague of another team keeps their account and password; somebody who was removed before comes back with the
 * same id. Throws `conflict` if they are a member there already. An account belongs to one organisation: accounts of
 * the same address elsewhere are neither read nor changed, and the result does not depend on them.
 */
export async function addMember(
  ctx: Ctx,
  input: AddMemberInput,
): Promise<{ id: string; password: string | null }> {
  const wanted = addMemberSchema.parse(input);
  const unitId = wanted.unitId ?? null;
  await authorizeMembers(ctx, unitId);
  const password = wanted.withPassword ? randomBytes(12).toString("base64url") : null;
  const passwordHash = password === null ? null : await hashPassword(password);
  const { tenantId } = ctx;
  return refuseRepeated("/email", "This address has an account in this organisation already.", () =>
    inTenant(ctx, async (tx) => {
      const role = await grantableRole(ctx, tx, wanted.role, unitId);
      const known = await tx.user.findFirst({ where: { tenantId, email: wanted.email } });
      const userId = known?.id ?? newId();
      if (!known) {
        await tx.user.create({
          data: {
            tenantId,
            id: userId,
            email: wanted.email,
            name: wanted.name,
            passwordHash,
            createdAt: ctx.now(),
          },
        });
      } else if (known.disabledAt) {
        await tx.user.update({
          where: { tenantId_id: { tenantId, id: userId } },
          data: { name: wanted.name, passwordHash, disabledAt: null },
        });
      } else if (await tx.roleAssignment.findFirst({ where: { tenantId, userId, unitId } })) {
        throw new DomainError("conflict", "This person is a member there already.", {
          errors: [{ pointer: "/email", code: "taken", detail: "A member there already" }],
        });
      }
      await tx.roleAssignment.create({ data: { tenantId, id: newId(), userId, roleId: role.id, unitId } });
      await recordAudit(ctx, tx, {
        action: "member.added",
        targetType: "user",
        targetId: userId,
        unitId,
        data: { role: role.key },
      });
      return { id: userId, password: known && !known.disabledAt ? null : password };
    }),
  );
}
