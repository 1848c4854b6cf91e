import type { z } from "zod";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { authorizeConnectionChanges } from "./connection-access.ts";
import { forgetConnections } from "./load-connection.ts";
import { removeConnection } from "./remove-connection.ts";
import type { UsedBy } from "./remove-connection.ts";
import type { providerDeletedSchema } from "./schemas.ts";
import { requireConnection } from "./stored-connection.ts";

/**
 * Deletes a connection and its credentials; messages, attempts and costs still show its name. Needs providers:manage
 * where it is. Throws `connection_in_use` with the rules that name it unless `force` is given; the rules then stay
 * without it, and the answer names those that have no connection left. Throws `conflict` for the sandbox's simulator
 * and for the operator's channels.
 */
export async function deleteProvider(
  ctx: Ctx,
  input: { id: string; force?: boolean | undefined },
): Promise<z.output<typeof providerDeletedSchema>> {
  const catalogue = await authorizeConnectionChanges(ctx);
  const row = await requireConnection(ctx, catalogue, "providers:manage", input.id);
  if (row.adapter === "simulator") {
    throw new DomainError("conflict", "The sandbox needs the simulator, so it can't be deleted.");
  }
  if (row.platformChannelId !== null) {
    throw new DomainError(
      "conflict",
      "The operator gave this connection to the organisation. Switch it off instead of deleting it.",
    );
  }
  const used = await inTenant(ctx, async (tx) => {
    const found = await removeConnection(ctx, tx, catalogue, row.id, (rules) => {
      if (input.force !== true) throw inUse(row.name, rules);
    });
    await recordAudit(ctx, tx, {
      action: "provider.deleted",
      targetType: "provider",
      targetId: row.id,
      unitId: row.unitId,
      before: {
        provider: row.adapter,
        channels: row.channels,
        processingRegion: row.processingRegion,
        enabled: row.enabled,
      },
      data: {
        name: row.name,
        rules: found.rules.map(({ id }) => id),
        hiddenRules: found.hiddenRules,
      },
    });
    return found;
  });
  forgetConnections(ctx.tenantId);
  return used;
}

function inUse(name: string, used: UsedBy): DomainError {
  const named = used.rules.slice(0, 5).map((rule) => `${rule.name} (${rule.environment})`);
  const more = used.rules.length - named.length + used.hiddenRules;
  const all = more > 0 ? [...named, `${String(more)} more`] : named;
  const stranded = used.rules.filter((rule) => rule.unroutable).length;
  const effect =
    stranded === 0
      ? ""
      : ` Without it ${stranded === 1 ? "one of them has" : `${String(stranded)} of them have`} no other connection.`;
  return new DomainError(
    "connection_in_use",
    `Routing rules send through ${name}: ${all.join(", ")}.${effect} Change the rules first, or delete with force.`,
    { extra: used },
  );
}
