import type { z } from "zod";
import { systemCtx } from "../access/system-ctx.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { forgetConnections } from "../connections/load-connection.ts";
import { removeConnection } from "../connections/remove-connection.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { operatorName, requireGiven, requireTenant } from "./assign-channel.ts";
import type { channelUnassignSchema } from "./schemas.ts";
import type { OperatorDb } from "./operator-db.ts";

/**
 * Withdraws an operator's channel from an organisation. Throws `not_found`, also for connections to an organisation's
 * own accounts, and `connection_in_use` when routing rules name it, unless `force` is given; the rules then do without.
 * Later reports about its messages are dropped: switch it off and wait for the receipts first.
 */
export async function unassignChannel(
  { db, requestId }: Pick<OperatorDb, "db" | "requestId">,
  input: z.output<typeof channelUnassignSchema>,
): Promise<void> {
  const ctx = systemCtx(db, await requireTenant(db, input.tenant), operatorName, requestId);
  const { tenantId } = ctx;
  const catalogue = await getCatalogue(ctx);
  await inTenant(ctx, async (tx) => {
    const connection = await requireGiven(tx, tenantId, input);
    await removeConnection(ctx, tx, catalogue, connection.id, ({ rules }) => {
      if (input.force) return;
      const named = rules.map((rule) => `${rule.name} (${rule.environment})`).join(", ");
      throw new DomainError("connection_in_use", `Routing rules send through it: ${named}.`);
    });
    await recordAudit(ctx, tx, {
      action: "connection.taken",
      targetType: "provider",
      targetId: connection.id,
      data: { name: input.connection },
      before: { channel: connection.platformChannel.name, provider: connection.adapter },
    });
  });
  forgetConnections(tenantId);
}
