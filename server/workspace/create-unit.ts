import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { authorize } from "../operations/authorize.ts";
import { createUnitSchema } from "../tenancy/schemas.ts";
import type { CreateUnitInput } from "../tenancy/schemas.ts";
import { addEntry, insertEntry } from "./add-entry.ts";

/**
 * Adds a team. Needs organization:manage for the whole tenant. Throws `conflict` when the short name is taken, or there are as many as
 * there may be.
 */
export async function createUnit(ctx: Ctx, input: CreateUnitInput): Promise<{ id: string }> {
  authorize(ctx, "organization:manage", {});
  const wanted = createUnitSchema.parse(input);
  const { tenantId } = ctx;
  return addEntry(
    ctx,
    { pointer: "/slug", detail: "Another team has this short name." },
    { what: "teams", count: (tx) => tx.organizationUnit.count({ where: { tenantId } }) },
    (tx) => insertUnit(ctx, tx, wanted),
  );
}

/** Writes a team that was checked, in the caller's transaction. Returns its id. */
export function insertUnit(ctx: Ctx, tx: Tx, wanted: CreateUnitInput): Promise<string> {
  return insertEntry(ctx, tx, async (key) => {
    await tx.organizationUnit.create({ data: { ...key, ...wanted } });
    return {
      action: "unit.created",
      targetType: "organization_unit",
      unitId: key.id,
      data: { name: wanted.name },
      after: wanted,
    };
  });
}
