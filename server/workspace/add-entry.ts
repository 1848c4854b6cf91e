import { recordAudit } from "../audit/record-audit.ts";
import type { AuditEntry } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { forgetCatalogue } from "../tenancy/catalogue.ts";
import { refuseRepeated } from "../tenancy/unique-violation.ts";

/**
 * Adds something to the tenant's catalogue, with its audit event. Throws `conflict` when its name is taken.
 * @param taken where the name stands in the input, and what to say when it is taken
 * @param write given what every row begins with; returns the audit event without what it is about
 */
export async function addEntry(
  ctx: Ctx,
  taken: { pointer: string; detail: string },
  write: (
    tx: Tx,
    key: { tenantId: string; id: string; createdAt: Date },
  ) => Promise<Omit<AuditEntry, "targetId">>,
): Promise<{ id: string }> {
  const id = newId();
  await refuseRepeated(taken.pointer, taken.detail, () =>
    inTenant(ctx, async (tx) => {
      const entry = await write(tx, { tenantId: ctx.tenantId, id, createdAt: ctx.now() });
      await recordAudit(ctx, tx, { ...entry, targetId: id });
    }),
  );
  forgetCatalogue(ctx.tenantId);
  return { id };
}
