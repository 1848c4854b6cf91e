import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { authorizeConnection } from "../providers/connection-access.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { bringProbeForward } from "./queries.ts";
import { forgetHealth } from "./tenant-health.ts";
import { visibleConnections } from "./visible-connections.ts";

/**
 * Has a connection that is out asked within a second or two instead of at its next probe. In the transaction of a change
 * that may have mended it, such as new credentials; nothing happens to one that works.
 */
export async function probeSoon(
  ctx: Pick<Ctx, "tenantId" | "now">,
  tx: Tx,
  connectionId: string,
): Promise<boolean> {
  return (await bringProbeForward(tx, { tenantId: ctx.tenantId, connectionId }, ctx.now())) > 0;
}

/** The same because somebody asks for it. Throws `conflict` for a connection that is not out. */
export async function probeNow(ctx: Ctx, input: { connectionId: string }): Promise<void> {
  const [connections, catalogue] = await Promise.all([
    visibleConnections(ctx, input.connectionId),
    getCatalogue(ctx),
  ]);
  for (const { id, name, unitId } of connections) {
    authorizeConnection(ctx, catalogue, "providers:manage", unitId);
    await inTenant(ctx, async (tx) => {
      if (!(await probeSoon(ctx, tx, id))) {
        throw new DomainError("conflict", `${name} is not unavailable: there is nothing to probe.`);
      }
      await recordAudit(ctx, tx, {
        action: "provider.probed",
        targetType: "provider",
        targetId: id,
        unitId,
        data: { name },
      });
    });
  }
  forgetHealth(ctx.tenantId);
}
