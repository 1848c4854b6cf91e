import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { authorize } from "../operations/authorize.ts";
import { forgetCatalogue } from "../tenancy/catalogue.ts";
import { deletePartSchema, updateEnvironmentSchema } from "../tenancy/schemas.ts";
import type { DeletePartInput, UpdateEnvironmentInput } from "../tenancy/schemas.ts";
import { refuseWhenUsed } from "./dependents.ts";
import { lockEnvironments } from "./queries.ts";

/** Renames an environment; short name and kind stay. Needs organization:manage for the whole tenant. */
export async function updateEnvironment(ctx: Ctx, input: UpdateEnvironmentInput): Promise<void> {
  authorize(ctx, "organization:manage", {});
  const { id, name } = updateEnvironmentSchema.parse(input);
  const where = { tenantId_id: { tenantId: ctx.tenantId, id } };
  await inTenant(ctx, async (tx) => {
    const before = await tx.environment.findUnique({ where });
    if (!before) throw notFound();
    if (before.name === name) return;
    await tx.environment.update({ where, data: { name } });
    await recordAudit(ctx, tx, {
      action: "environment.updated",
      targetType: "environment",
      targetId: id,
      environmentId: id,
      data: { name: before.name },
      before: { name: before.name },
      after: { name },
    });
  });
  forgetCatalogue(ctx.tenantId);
}

/**
 * Deletes an environment that was never used. Needs organization:manage for the whole tenant. Throws `conflict` for the
 * sandbox, and with what hangs on it: pipelines, rules, keys, and messages, which tell of it for as long as they are kept.
 */
export async function deleteEnvironment(ctx: Ctx, input: DeletePartInput): Promise<void> {
  authorize(ctx, "organization:manage", {});
  const { id } = deletePartSchema.parse(input);
  const { tenantId } = ctx;
  await inTenant(ctx, async (tx) => {
    if ((await lockEnvironments(tx, tenantId, [id])) === 0) throw notFound();
    const where = { tenantId_id: { tenantId, id } };
    const { slug, name, kind } = await tx.environment.findUniqueOrThrow({ where });
    if (kind === "sandbox") {
      throw new DomainError("conflict", "Every organisation has one sandbox: it cannot be deleted.");
    }
    await refuseWhenUsed(tx, tenantId, { kind: "environment", id, name });
    await tx.environment.delete({ where });
    await recordAudit(ctx, tx, {
      action: "environment.deleted",
      targetType: "environment",
      targetId: id,
      environmentId: id,
      data: { name },
      before: { slug, name, kind },
    });
  });
  forgetCatalogue(tenantId);
}
