import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { notFound } from "../kernel/errors.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";
import { deleteHealth } from "./connection-state.ts";
import { lockConnection } from "./queries.ts";
import { usingRules } from "./using-rules.ts";

export type UsedBy = Awaited<ReturnType<typeof usingRules>>;

/**
 * Deletes a connection with its credentials and health; its history stays. Locks it first, so that no rule comes to
 * name it meanwhile. `refuse` may throw because of the rules that do. Throws `not_found`.
 */
export async function removeConnection(
  ctx: Ctx,
  tx: Tx,
  catalogue: Catalogue,
  id: string,
  refuse: (used: UsedBy) => void,
): Promise<UsedBy> {
  const { tenantId } = ctx;
  if (!(await lockConnection(tx, tenantId, id))) throw notFound();
  const used = await usingRules(ctx, tx, catalogue, id);
  if (used.rules.length + used.hiddenRules > 0) refuse(used);
  await tx.providerConnection.delete({ where: { tenantId_id: { tenantId, id } } });
  await deleteHealth(tx, { tenantId: ctx.tenantId, connectionId: id });
  return used;
}
