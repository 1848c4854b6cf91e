import { recordAudit } from "../audit/record-audit.ts";
import type { AuditEntry } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { forgetCatalogue } from "../tenancy/catalogue.ts";
import { refuseRepeated } from "../tenancy/unique-violation.ts";

/**
 * Adds something to the tenant's catalogue. Throws `conflict` when its name is taken.
 * @param taken where the name stands in the input, and what to say when it is taken
 * @param insert writes it, with insertEntry; returns its id
 */
export async function addEntry(
  ctx: Ctx,
  taken: { pointer: string; detail: string },
  insert: (tx: Tx) => Promise<string>,
): Promise<{ id: string }> {
  const id = await refuseRepeated(taken.pointer, taken.detail, () => inTenant(ctx, insert));
  forgetCatalogue(ctx.tenantId);
  return { id };
}

/**
 * Writes an entry of the catalogue that was checked, with its audit event, in the caller's transaction. Returns its id.
 * @param write given what every row begins with; returns the audit event without what it is about
 */
export async function insertEntry(
  ctx: Ctx,
  tx: Tx,
  write: (key: { tenantId: string; id: string; createdAt: Date }) => Promise<Omit<AuditEntry, "targetId">>,
): Promise<string> {
  const id = newId();
  const entry = await write({ tenantId: ctx.tenantId, id, createdAt: ctx.now() });
  await recordAudit(ctx, tx, { ...entry, targetId: id });
  return id;
}
