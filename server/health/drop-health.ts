import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { deleteHealth } from "./queries.ts";

/** Forgets how a connection is doing, in the transaction that removes it; its incidents stay. */
export async function dropHealth(ctx: Pick<Ctx, "tenantId">, tx: Tx, connectionId: string): Promise<void> {
  await deleteHealth(tx, { tenantId: ctx.tenantId, connectionId });
}
