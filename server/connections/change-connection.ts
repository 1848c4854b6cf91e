/** What a stored connection would be after a change, checked like a new one; for saving it and for testing it first. */
import type { Adapter } from "../adapters/adapter.ts";
import { destinationsDiffer } from "../adapters/destinations.ts";
import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";
import {
  checkAddresses,
  checkDetails,
  checkRegion,
  credentialsRequired,
  mergeFields,
  parseConfiguration,
  resolveInbound,
} from "./check-connection.ts";
import { requireUnit } from "./connection-access.ts";
import type { SealedConnection } from "./queries.ts";
import { moveSenders, resolveSenders } from "./resolve-senders.ts";
import { priceListSchema, storedSendersSchema } from "./schemas.ts";
import type { PriceListEntry, ProviderUpdate, StoredSender } from "./schemas.ts";
import { openCredentials, requireAdapter } from "./stored-connection.ts";

export interface ChangedConnection {
  adapter: Adapter;
  unitId: string | null;
  name: string;
  channels: Channel[];
  /** As stored; null: none were given, the stored ones stay. */
  credentials: Record<string, unknown> | null;
  /** Parsed by the adapter's schemas; null when none are given, and for the operator's channels. */
  parsed: { credentials: unknown; settings: unknown } | null;
  senders: StoredSender[];
  ratePerSecond: number | null;
  maxConcurrency: number;
  slowAfterMs: number;
  priceList: PriceListEntry[];
  processingRegion: string;
  inboundApplicationId: string | null;
  inboundEnvironmentId: string | null;
  enabled: boolean;
}

/** The sandbox sends through the simulator: what it needs for that cannot change. */
const fixedInSimulator = [
  "unit",
  "channels",
  "credentials",
  "settings",
  "priceList",
  "processingRegion",
  "enabled",
] as const;
/**
 * The account of an operator's channel is the operator's, and so are its senders; tenants decide whether they use it.
 */
const fixedInPlatform = [
  "channels",
  "credentials",
  "settings",
  "senders",
  "ratePerSecond",
  "priceList",
  "processingRegion",
  "unit",
] as const;

/** Names of the fields that a change gives. */
export function namesOf(changes: ProviderUpdate): string[] {
  return Object.entries<unknown>(changes)
    .filter(([name, value]) => name !== "updatedAt" && value !== undefined)
    .map(([name]) => name);
}

/**
 * Throws as createProvider does, and `conflict` for what the sandbox or the operator needs.
 * @param whole also check and return what the change leaves as it is
 */
export async function changedConnection(
  ctx: Ctx,
  catalogue: Catalogue,
  row: SealedConnection,
  changes: ProviderUpdate,
  whole = false,
): Promise<ChangedConnection> {
  const adapter = requireAdapter(row.adapter);
  const platform = row.platformChannelId !== null;
  refuseFixed(adapter, platform, changes, row);
  const unitId = changes.unit === undefined ? row.unitId : requireUnit(ctx, catalogue, changes.unit);
  const channels = changes.channels ?? (row.channels as Channel[]);
  const stored = storedSendersSchema.safeParse(row.senders).data ?? [];
  const senders = changes.senders
    ? resolveSenders(catalogue, unitId, changes.senders)
    : moveSenders(unitId, stored);
  const priceList = changes.priceList ?? priceListSchema.safeParse(row.priceList).data ?? [];
  if (changes.channels !== undefined || changes.senders !== undefined || changes.priceList !== undefined) {
    const listed = changes.senders ?? senders.map(({ unitId: unit, ...sender }) => ({ ...sender, unit }));
    checkDetails(adapter, { channels, senders: listed, priceList });
  }
  const enabled = changes.enabled ?? row.enabled;
  const moved = changes.processingRegion !== undefined || changes.settings !== undefined;
  // A connection that cannot be used can still be renamed, switched off and so on.
  const used = moved || changes.credentials !== undefined || (enabled && !row.enabled) || whole;
  const configuration = used && !platform ? configure(ctx, adapter, row, changes) : null;
  const processingRegion =
    configuration && (moved || (enabled && !row.enabled))
      ? checkRegion(adapter, catalogue.tenant, {
          settings: configuration.parsed.settings,
          processingRegion: changes.processingRegion,
          stored: row.processingRegion,
        })
      : row.processingRegion;
  if (changes.inbound === undefined) refuseForeignInbound(catalogue, unitId, row);
  const inbound =
    changes.inbound === undefined
      ? { inboundApplicationId: row.inboundApplicationId, inboundEnvironmentId: row.inboundEnvironmentId }
      : resolveInbound(adapter, catalogue, unitId, changes.inbound);
  if (configuration && changes.settings !== undefined) await checkAddresses(configuration.parsed.settings);
  return {
    adapter,
    unitId,
    name: changes.name ?? row.name,
    channels,
    credentials: changes.credentials === undefined ? null : (configuration?.credentials ?? null),
    parsed: configuration?.parsed ?? null,
    senders,
    ratePerSecond: changes.ratePerSecond === undefined ? row.ratePerSecond : changes.ratePerSecond,
    maxConcurrency: changes.maxConcurrency ?? row.maxConcurrency,
    slowAfterMs: changes.slowAfterMs ?? row.slowAfterMs,
    priceList,
    processingRegion,
    ...inbound,
    enabled,
  };
}

/** Whether the same senders are listed in the same order, whoever owns them. */
function sameSenders(row: SealedConnection, senders: ProviderUpdate["senders"] = []): boolean {
  const bare = (list: readonly Omit<StoredSender, "unitId">[]) =>
    JSON.stringify(list.map(({ channel, region, sender }) => [channel, region, sender]));
  return bare(senders) === bare(storedSendersSchema.safeParse(row.senders).data ?? []);
}

function refuseFixed(
  adapter: Adapter,
  platform: boolean,
  changes: ProviderUpdate,
  row: SealedConnection,
): void {
  const simulator = adapter.name === "simulator";
  if (!simulator && !platform) return;
  const fixed: readonly string[] = simulator ? fixedInSimulator : fixedInPlatform;
  // The organisation decides which of its units an assigned sender is for.
  const assigned = platform && changes.senders?.length !== 0 && sameSenders(row, changes.senders);
  const touched = namesOf(changes).filter(
    (name) => fixed.includes(name) && !(name === "senders" && assigned),
  );
  if (touched.length === 0) return;
  const detail = simulator ? "The sandbox needs it as it is" : "The account is the operator's";
  throw new DomainError(
    "conflict",
    simulator
      ? "The sandbox sends through the simulator: only its name, senders, limits and inbound target can be changed."
      : "The account is the operator's: its credentials, settings, senders and prices cannot be changed here, only which unit a sender is for.",
    { errors: touched.map((name) => ({ pointer: `/${name}`, code: "fixed", detail })) },
  );
}

/**
 * A team's connection must not bring its messages to another team: moving it requires saying where they go from then
 * on.
 */
function refuseForeignInbound(catalogue: Catalogue, unitId: string | null, row: SealedConnection): void {
  if (unitId === null || unitId === row.unitId) return;
  const application = catalogue.applications.find(({ id }) => id === row.inboundApplicationId);
  if (!application || application.unitId === unitId) return;
  const detail = `Messages from recipients go to ${application.name}, which is another team's: change that as well`;
  throw new DomainError("invalid_request", `${detail}.`, {
    errors: [{ pointer: "/inbound", code: "unknown_application", detail }],
  });
}

function configure(ctx: Ctx, adapter: Adapter, row: SealedConnection, changes: ProviderUpdate) {
  const stored = openCredentials(ctx.tenantId, row);
  const { fields: settings } = mergeFields(row.settings as Record<string, unknown>, changes.settings);
  const { fields: credentials, kept } = mergeFields(stored ?? {}, changes.credentials);
  const parsed = parseConfiguration(adapter, { credentials, settings });
  const before = adapter.settingsSchema.safeParse(row.settings);
  if (kept.length > 0) {
    const old = before.success ? before.data : row.settings;
    if (destinationsDiffer(old, parsed.settings)) throw credentialsRequired(kept, "address");
    const value = (from: unknown, name: string) => JSON.stringify((from as Record<string, unknown>)[name]);
    const moved = adapter.credentialSettings?.some(
      (name) => value(old, name) !== value(parsed.settings, name),
    );
    if (moved) throw credentialsRequired(kept, "request");
  }
  return { credentials, parsed };
}
