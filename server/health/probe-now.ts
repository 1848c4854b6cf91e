import { recordAudit } from "../audit/record-audit.ts";
import { authorizeConnection } from "../connections/connection-access.ts";
import { forgetHealth, probeSoon } from "../connections/connection-state.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { visibleConnections } from "./visible-connections.ts";

/** Schedules a probe of an open connection within a second or two. Throws `conflict` for one that is not open. */
export async function probeNow(ctx: Ctx, input: { connectionId: string }): Promise<void> {
  const [connections, catalogue] = await Promise.all([
    visibleConnections(ctx, input.connectionId),
    getCatalogue(ctx),
  ]);
  for (const { id, name, unitId } of connections) {
    authorizeConnection(ctx, catalogue, "providers:manage", unitId);
    await inTenant(ctx, async (tx) => {
      if (!(await probeSoon(ctx, tx, id))) {
        throw new DomainError("conflict", `${name} is available, so there is nothing to probe.`);
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
