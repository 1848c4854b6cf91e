import type { Adapter } from "../adapters/adapter.ts";
import { findAdapter } from "../adapters/adapters.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";
import { presentation } from "./present-provider.ts";
import type { SealedConnection } from "./queries.ts";
import { priceListSchema } from "./schemas.ts";
import type { ProviderDetail } from "./schemas.ts";
import { callbackUrlOf, oldSecretsOf, openCredentials, requireConnection } from "./stored-connection.ts";
import { usingRules } from "./using-rules.ts";

/**
 * One connection without its credentials, only with the names of those that are set. Needs providers:read in its unit;
 * for a tenant-wide one, anywhere.
 */
export async function getProvider(
  ctx: Ctx,
  input: { id: string; environmentId?: string | undefined },
): Promise<ProviderDetail> {
  const catalogue = await getCatalogue(ctx);
  const row = await requireConnection(ctx, catalogue, "providers:read", input.id);
  const [present, rules] = await Promise.all([
    presentation(ctx, catalogue, input.environmentId),
    inTenant(ctx, (tx) => usingRules(ctx, tx, catalogue, row.id)),
  ]);
  const adapter = findAdapter(row.adapter);
  const credentials = openCredentials(ctx.tenantId, row);
  return {
    ...present(row),
    settings: row.platformChannelId === null ? (row.settings as Record<string, unknown>) : {},
    credentialsSet: Object.keys(credentials ?? {}).sort(),
    priceList: priceListSchema.safeParse(row.priceList).data ?? [],
    inbound: inboundOf(row, catalogue),
    callback: callbackOf(ctx, row, adapter),
    ...rules,
    problem: problemOf(row, adapter, credentials),
  };
}

function inboundOf(row: SealedConnection, catalogue: Catalogue): ProviderDetail["inbound"] {
  const application = catalogue.applications.find(({ id }) => id === row.inboundApplicationId);
  const environment = catalogue.environments.find(({ id }) => id === row.inboundEnvironmentId);
  return application && environment ? { application: application.name, environment: environment.slug } : null;
}

/** The operator's channels report to an address of the operator's. */
function callbackOf(
  ctx: Ctx,
  row: SealedConnection,
  adapter: Adapter | undefined,
): ProviderDetail["callback"] {
  if (!adapter?.parseCallback || row.platformChannelId !== null || adapter.name === "simulator") return null;
  const url = callbackUrlOf(row.id);
  const [newest] = oldSecretsOf(ctx.tenantId, row, ctx.now());
  return {
    url,
    setup: adapter.callbackSetup?.replaceAll("{url}", url) ?? null,
    oldSecretsUntil: newest?.until ?? null,
  };
}

function problemOf(
  row: SealedConnection,
  adapter: Adapter | undefined,
  credentials: Record<string, unknown> | null,
): string | null {
  if (!adapter) return "This version doesn't support the provider. Nothing is sent through the connection.";
  if (row.platformChannelId !== null) return null;
  if (credentials === null)
    return "The stored credentials can't be read. Enter them again. Until then, nothing is sent through the connection.";
  if (
    !adapter.credentialsSchema.safeParse(credentials).success ||
    !adapter.settingsSchema.safeParse(row.settings).success
  ) {
    return "Credentials or settings are incomplete for this version. Enter them again. Until then, nothing is sent through the connection.";
  }
  return null;
}
