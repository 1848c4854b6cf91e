import { changeMembers, mappableRole, rolesById } from "../access/directory-access.ts";
import { authorizeMembers } from "../access/member-rules.ts";
import { takeProviderRoles } from "../access/sign-in-through-provider.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { authorizeToMap, authorizeToRead } from "../directory/authorize-directory.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { refuseRepeated } from "../tenancy/unique-violation.ts";
import { lockProvider, lockProviders } from "./queries.ts";
import { addRuleSchema, ruleSchema, ssoLimits } from "./schemas.ts";
import type { AddRuleInput, RuleInput } from "./schemas.ts";

/**
 * Lets a provider give a role, in a unit or in the whole tenant, to whoever signs in with a value of its claim, or at all. Needs
 * members:manage in the whole tenant and all of the role's permissions there. Throws `not_found` for an unknown provider or unit,
 * `conflict` for a rule that is there and for one too many.
 */
export async function addRule(ctx: Ctx, input: AddRuleInput): Promise<{ id: string }> {
  const { providerId, value, role: key, unitId } = addRuleSchema.parse(input);
  authorizeToRead(ctx);
  await authorizeMembers(ctx, unitId);
  const { tenantId } = ctx;
  const id = newId();
  return refuseRepeated("/role", "There is this rule already.", () =>
    changeMembers(ctx, async (tx) => {
      await lockProviders(tx, tenantId);
      const provider = await lockProvider(tx, tenantId, providerId);
      if (!provider) throw notFound();
      const role = await mappableRole(ctx, tx, key, unitId);
      if ((await tx.identityProviderRule.count({ where: { tenantId } })) >= ssoLimits.rules) {
        const limit = String(ssoLimits.rules);
        throw new DomainError("conflict", `There are ${limit} rules already. Remove one first.`);
      }
      await tx.identityProviderRule.create({
        data: {
          tenantId,
          id,
          providerId,
          value,
          roleId: role.id,
          unitId,
          createdByName: ctx.actor.name,
          createdAt: ctx.now(),
        },
      });
      await recordAudit(ctx, tx, {
        action: "identity_provider.rule_added",
        targetType: "identity_provider",
        targetId: providerId,
        unitId,
        data: { name: provider.name },
        before: { role: null },
        after: { role: role.key, claim: value === null ? null : provider.roleClaim, value },
      });
      return { id };
    }),
  );
}

/**
 * Removes a rule. Whoever has the role there from this provider loses it now, unless another rule gives it, which their next sign-in
 * decides. Needs what adding it needs. Throws `not_found`, and `conflict` when nobody would own the tenant any more.
 */
export async function removeRule(ctx: Ctx, input: RuleInput): Promise<void> {
  const { id } = ruleSchema.parse(input);
  authorizeToRead(ctx);
  const { tenantId } = ctx;
  await changeMembers(ctx, async (tx) => {
    await lockProviders(tx, tenantId);
    const where = { tenantId_id: { tenantId, id } };
    const rule = await tx.identityProviderRule.findUnique({ where });
    if (!rule) throw notFound();
    const { providerId, roleId, unitId, value } = rule;
    const role = (await rolesById(tx, tenantId, [roleId])).get(roleId);
    authorizeToMap(ctx, role?.permissions ?? [], unitId);
    const provider = await lockProvider(tx, tenantId, providerId);
    await tx.identityProviderRule.delete({ where });
    const others = await tx.identityProviderRule.count({ where: { tenantId, providerId, roleId, unitId } });
    const taken = others > 0 ? 0 : await takeProviderRoles(ctx, tx, providerId, { roleId, unitId });
    await recordAudit(ctx, tx, {
      action: "identity_provider.rule_removed",
      targetType: "identity_provider",
      targetId: providerId,
      unitId,
      data: { name: provider?.name, members: taken },
      before: { role: role?.key, claim: value === null ? null : provider?.roleClaim, value },
      after: { role: null },
    });
  });
}
