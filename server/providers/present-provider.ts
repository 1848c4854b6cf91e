import { visibleScopes } from "../access/authorize.ts";
import { tenantHealth } from "../health/tenant-health.ts";
import type { ConnectionHealth } from "../health/tenant-health.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";
import { allowedRegions } from "../tenancy/residency.ts";
import { findAdapter } from "./adapters/adapters.ts";
import type { AdapterName, Channel } from "./adapters/schemas.ts";
import { selectAttemptCounts } from "./queries.ts";
import type { ConnectionFacts, HealthRow } from "./queries.ts";
import { sendersSchema } from "./schemas.ts";
import type { Provider } from "./schemas.ts";

const hour = 3_600_000;
/** The provider's fault; what the recipient or the content caused says nothing about its health. */
const recipientCodes = new Set(["invalid_recipient", "opted_out", "content_rejected", "invalid_message"]);

/** What connections are presented with: their health, and the figures of the messages that the caller may know of. */
export async function presentation(
  ctx: Ctx,
  catalogue: Catalogue,
  environmentId?: string,
): Promise<(row: Omit<ConnectionFacts, "priceList">) => Provider> {
  const [health, counts] = await Promise.all([
    tenantHealth(ctx),
    selectAttemptCounts(
      ctx,
      visibleScopes(ctx, "providers:read"),
      new Date(ctx.now().getTime() - 24 * hour),
      environmentId,
    ),
  ]);
  const regions = allowedRegions(catalogue.tenant);
  return (row) => {
    const { last24Hours, faults } = figures(counts, row.id);
    const known = health.get(row.id);
    const adapter = findAdapter(row.adapter);
    const channels = row.channels as Channel[];
    return {
      id: row.id,
      name: row.name,
      provider: row.adapter as AdapterName,
      unit: catalogue.units.find(({ id }) => id === row.unitId)?.slug ?? null,
      platform: row.platformChannelId !== null,
      channels,
      status: statusOf(row.enabled, known, last24Hours.attempts, faults),
      enabled: row.enabled,
      processingRegion: row.processingRegion,
      regionAllowed: regions.has(row.processingRegion),
      senders: sendersSchema.safeParse(row.senders).data ?? [],
      ratePerSecond: row.ratePerSecond,
      maxConcurrency: row.maxConcurrency,
      slowAfterMs: row.slowAfterMs,
      receipts: channels.some((channel) => adapter?.hasReceipts(channel) === true),
      health: known
        ? {
            breaker: known.breaker,
            since: known.since.toISOString(),
            reason: known.reasonCode === null ? null : { code: known.reasonCode, detail: known.reasonDetail },
            nextProbeAt: known.nextProbeAt?.toISOString() ?? null,
            slow: known.slow,
          }
        : null,
      lastTest: row.testedAt ? { at: row.testedAt.toISOString(), problem: row.testProblem } : null,
      last24Hours,
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
    };
  };
}

function figures(counts: readonly HealthRow[], id: string) {
  const last24Hours: Provider["last24Hours"] = { attempts: 0, sent: 0, notSent: 0, unknown: 0, errors: [] };
  let faults = 0;
  for (const row of counts) {
    if (row.connection_id !== id) continue;
    const count = Number(row.count);
    last24Hours.attempts += count;
    if (row.outcome === "sent") {
      last24Hours.sent += count;
      continue;
    }
    last24Hours[row.outcome === "unknown" ? "unknown" : "notSent"] += count;
    if (!recipientCodes.has(row.code)) faults += count;
    const error = last24Hours.errors.find((entry) => entry.code === row.code);
    if (error) error.count += count;
    else last24Hours.errors.push({ code: row.code, count });
  }
  last24Hours.errors.sort((a, b) => b.count - a.count).splice(10);
  return { last24Hours, faults };
}

/** The breaker knows what is now; the figures tell of what it does not look at. */
function statusOf(
  enabled: boolean,
  health: ConnectionHealth | undefined,
  attempts: number,
  faults: number,
): Provider["status"] {
  if (!enabled) return "disabled";
  if (health && health.breaker !== "closed") return "down";
  if (health?.slow) return "degraded";
  if (attempts === 0) return "idle";
  const share = faults / attempts;
  return share >= 0.9 ? "down" : share >= 0.05 ? "degraded" : "operational";
}
