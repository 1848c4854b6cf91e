import { authorizeSomewhere, visibleScopes } from "../access/authorize.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { tenantConnections } from "./load-connection.ts";
import type { ProviderConnection } from "./load-connection.ts";
import { selectAttemptCounts } from "./queries.ts";
import type { Provider } from "./schemas.ts";

const hour = 3_600_000;
/** The provider's fault; what the recipient or the content caused says nothing about its health. */
const recipientCodes = new Set(["invalid_recipient", "opted_out", "content_rejected", "invalid_message"]);

/** The connections that the caller may see, with how they did in the last 24 hours, in one environment or in all. */
export async function listProviders(
  ctx: Ctx,
  input: { environmentId?: string | undefined } = {},
): Promise<{ data: Provider[] }> {
  authorizeSomewhere(ctx, "providers:read");
  const scopes = visibleScopes(ctx, "providers:read");
  const [connections, counts] = await Promise.all([
    tenantConnections(ctx),
    selectAttemptCounts(ctx, scopes, new Date(ctx.now().getTime() - 24 * hour), input.environmentId),
  ]);
  // A tenant-wide connection is everybody's; a unit's own is for those who see the unit.
  const visible = [...connections.values()].filter(
    (connection) =>
      scopes === null ||
      connection.unitId === null ||
      scopes.some((scope) => scope.unitId === connection.unitId || (!scope.unitId && !scope.applicationId)),
  );
  const data = visible.map((connection) => {
    const last24Hours = {
      attempts: 0,
      sent: 0,
      notSent: 0,
      unknown: 0,
      errors: [] as { code: string; count: number }[],
    };
    let faults = 0;
    for (const row of counts) {
      if (row.connection_id !== connection.id) continue;
      const count = Number(row.count);
      last24Hours.attempts += count;
      if (row.outcome === "sent") last24Hours.sent += count;
      else {
        last24Hours[row.outcome === "unknown" ? "unknown" : "notSent"] += count;
        if (!recipientCodes.has(row.code)) faults += count;
        const error = last24Hours.errors.find((entry) => entry.code === row.code);
        if (error) error.count += count;
        else last24Hours.errors.push({ code: row.code, count });
      }
    }
    last24Hours.errors.sort((a, b) => b.count - a.count).splice(10);
    return {
      id: connection.id,
      name: connection.name,
      provider: connection.adapter.name,
      channels: [...connection.channels],
      status: statusOf(connection, last24Hours.attempts, faults),
      enabled: connection.enabled,
      processingRegion: connection.processingRegion,
      senders: connection.senders,
      receipts: connection.channels.some((channel) => connection.adapter.hasReceipts(channel)),
      last24Hours,
    };
  });
  return { data };
}

function statusOf(connection: ProviderConnection, attempts: number, faults: number): Provider["status"] {
  if (!connection.enabled) return "disabled";
  if (attempts === 0) return "idle";
  const share = faults / attempts;
  return share >= 0.9 ? "down" : share >= 0.05 ? "degraded" : "operational";
}
