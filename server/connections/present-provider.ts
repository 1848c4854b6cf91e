import type { Adapter } from "../adapters/adapter.ts";
import { findAdapter } from "../adapters/adapters.ts";
import type { AdapterName } from "../adapters/schemas.ts";
import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";
import { allowedRegions } from "../tenancy/residency.ts";
import { tenantHealth } from "./connection-state.ts";
import type { ConnectionHealth } from "./connection-state.ts";
import { selectAttemptCounts } from "./queries.ts";
import type { ConnectionFacts, AttemptCountRow } from "./queries.ts";
import { ownedSendersSchema } from "./schemas.ts";
import type { Provider } from "./schemas.ts";

const hour = 3_600_000;
/** Refusals that point to a wrong setting. The breaker ignores them, because the provider does its work. */
const refusalCodes = new Set([
  "sender_rejected",
  "provider_rejected",
  "region_not_enabled",
  "template_rejected",
]);
/** From this share of the last 24 hours' attempts on, such refusals are more than the odd message. */
const manyRefusals = 0.05;

/**
 * What connections are presented with: their health, and the figures of all that went over them, in one environment or in all. The
 * same for everybody who sees the connection: whether a shared connection works is not a matter of whose messages it carries.
 */
export async function presentation(
  ctx: Ctx,
  catalogue: Catalogue,
  environmentId?: string,
): Promise<(row: Omit<ConnectionFacts, "priceList">) => Provider> {
  const [health, counts] = await Promise.all([
    tenantHealth(ctx),
    selectAttemptCounts(ctx, new Date(ctx.now().getTime() - 24 * hour), environmentId),
  ]);
  const regions = allowedRegions(catalogue.tenant);
  return (row) => {
    const { last24Hours, refusals } = figures(counts, row.id);
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
      status: statusOf(row.enabled, known, last24Hours.attempts, refusals),
      enabled: row.enabled,
      processingRegion: row.processingRegion,
      regionAllowed: regions.has(row.processingRegion),
      senders: (ownedSendersSchema.safeParse(row.ownedSenders).data ?? []).map(({ unitId, ...sender }) => ({
        ...sender,
        unit: catalogue.units.find(({ id }) => id === unitId)?.slug ?? null,
      })),
      ratePerSecond: row.ratePerSecond,
      maxConcurrency: row.maxConcurrency,
      slowAfterMs: row.slowAfterMs,
      receipts: adapter ? channels.some((channel) => hasReceipts(adapter, channel, row.settings)) : false,
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

function hasReceipts(adapter: Adapter, channel: Channel, settings: unknown): boolean {
  const known = adapter.settingsSchema.safeParse(settings);
  return adapter.hasReceipts(channel, known.success ? known.data : undefined);
}

function figures(counts: readonly AttemptCountRow[], id: string) {
  const last24Hours: Provider["last24Hours"] = { attempts: 0, sent: 0, notSent: 0, unknown: 0, errors: [] };
  let refusals = 0;
  for (const row of counts) {
    if (row.connectionId !== id) continue;
    const count = Number(row.count);
    last24Hours.attempts += count;
    if (row.outcome === "sent") {
      last24Hours.sent += count;
      continue;
    }
    last24Hours[row.outcome === "unknown" ? "unknown" : "notSent"] += count;
    if (refusalCodes.has(row.code)) refusals += count;
    const error = last24Hours.errors.find((entry) => entry.code === row.code);
    if (error) error.count += count;
    else last24Hours.errors.push({ code: row.code, count });
  }
  last24Hours.errors.sort((a, b) => b.count - a.count).splice(10);
  return { last24Hours, refusals };
}

/** The present state: a past outage is history. The figures only report what the breaker ignores. */
function statusOf(
  enabled: boolean,
  health: ConnectionHealth | undefined,
  attempts: number,
  refusals: number,
): Provider["status"] {
  if (!enabled) return "disabled";
  if (health?.breaker === "open") return "down";
  if (health?.breaker === "half_open" || health?.slow) return "degraded";
  if (attempts === 0) return "idle";
  return refusals >= attempts * manyRefusals ? "degraded" : "operational";
}
