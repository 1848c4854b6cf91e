import { recordAudit } from "../audit/record-audit.ts";
import type { AuditEntry } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { forgetCatalogue } from "../tenancy/catalogue.ts";
import { refuseRepeated } from "../tenancy/unique-violation.ts";
import { lockCatalogue } from "./queries.ts";

/** What an organisation has at most: each of its requests reads all of them. */
export const mostEntries = {
  teams: 500,
  environments: 100,
  applications: 1_000,
  "notification types": 500,
} as const;

/**
 * Adds something to the tenant's catalogue. Throws `conflict` when its name is taken, or there are as many as there may be.
 * @param taken where the name stands in the input, and what to say when it is taken
 * @param room what is added, and how many of it there are
 * @param insert writes it, with insertEntry; returns its id
 */
export async function addEntry(
  ctx: Ctx,
  taken: { pointer: string; detail: string },
  room: { what: keyof typeof mostEntries; count: (tx: Tx) => Promise<number> },
  insert: (tx: Tx) => Promise<string>,
): Promise<{ id: string }> {
  const id = await refuseRepeated(taken.pointer, taken.detail, () =>
    inTenant(ctx, async (tx) => {
      await lockCatalogue(tx, ctx.tenantId);
      const most = mostEntries[room.what];
      if ((await room.count(tx)) >= most)
        throw new DomainError("conflict", `An organisation has at most ${String(most)} ${room.what}.`);
      return insert(tx);
    }),
  );
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
