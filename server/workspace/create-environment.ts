import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { authorize } from "../operations/authorize.ts";
import { createEnvironmentSchema } from "../tenancy/schemas.ts";
import type { CreateEnvironmentInput } from "../tenancy/schemas.ts";
import { addEntry, insertEntry } from "./add-entry.ts";

/**
 * Adds an environment after the existing ones. Needs organization:manage for the whole tenant. Throws `conflict` when the
 * short name is taken, or there are as many as there may be.
 */
export async function createEnvironment(ctx: Ctx, input: CreateEnvironmentInput): Promise<{ id: string }> {
  authorize(ctx, "organization:manage", {});
  const wanted = createEnvironmentSchema.parse(input);
  const { tenantId } = ctx;
  return addEntry(
    ctx,
    { pointer: "/slug", detail: "Another environment has this short name." },
    { what: "environments", count: (tx) => tx.environment.count({ where: { tenantId } }) },
    (tx) => insertEnvironment(ctx, tx, wanted),
  );
}

/** Writes an environment that was checked, in the caller's transaction. Returns its id. */
export function insertEnvironment(ctx: Ctx, tx: Tx, wanted: CreateEnvironmentInput): Promise<string> {
  return insertEntry(ctx, tx, async (key) => {
    const position = await tx.environment.count({ where: { tenantId: ctx.tenantId } });
    await tx.environment.create({ data: { ...key, ...wanted, position } });
    return {
      action: "environment.created",
      targetType: "environment",
      environmentId: key.id,
      data: { name: wanted.name },
      after: wanted,
    };
  });
}
