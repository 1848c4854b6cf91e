import { randomBytes } from "node:crypto";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { dataKeyForWriting } from "../tenancy/data-key.ts";
import { refuseRepeated } from "../tenancy/unique-violation.ts";
import {
  checkAddresses,
  checkDetails,
  checkRegion,
  mergeFields,
  parseConfiguration,
  resolveInbound,
} from "./check-connection.ts";
import { authorizeConnectionChanges, requireUnit } from "./connection-access.ts";
import { getProvider } from "./get-provider.ts";
import { forgetConnections } from "./load-connection.ts";
import { recordPriceChanges } from "./price-changes.ts";
import { refuseTakenSenders, resolveSenders } from "./resolve-senders.ts";
import type { ProviderCreate, ProviderDetail } from "./schemas.ts";
import { insertConnection } from "./store-connection.ts";
import { requireAdapter } from "./stored-connection.ts";

const mostConnections = 500;

/**
 * Adds a connection to a provider; in force everywhere within two seconds. Needs providers:manage in its unit, or in
 * the whole organisation for a tenant-wide one. Throws `invalid_request` with pointers to what is wrong,
 * `forbidden_address`, `region_not_allowed`, and `conflict` when the name is taken or there are too many. Audited
 * without any value of credentials or settings.
 */
export async function createProvider(ctx: Ctx, input: ProviderCreate): Promise<ProviderDetail> {
  const catalogue = await authorizeConnectionChanges(ctx);
  const unitId = requireUnit(ctx, catalogue, input.unit);
  const adapter = requireAdapter(input.provider);
  const simulator = adapter.name === "simulator";
  const { fields: settings } = mergeFields({}, input.settings);
  const { fields: credentials } = mergeFields({}, input.credentials);
  // Nobody else needs to know it: the simulator is part of the service.
  if (simulator) credentials.signingKey = randomBytes(24).toString("base64url");
  const channels = input.channels ?? [...adapter.channels];
  const parsed = parseConfiguration(adapter, { credentials, settings });
  checkDetails(adapter, { channels, senders: input.senders, priceList: input.priceList });
  const senders = resolveSenders(catalogue, unitId, input.senders);
  const processingRegion = checkRegion(adapter, catalogue.tenant, {
    settings: parsed.settings,
    processingRegion: input.processingRegion ?? (simulator ? catalogue.tenant.dataRegion : undefined),
  });
  const inbound = resolveInbound(adapter, catalogue, unitId, input.inbound);
  await checkAddresses(parsed.settings);

  const id = newId();
  await refuseRepeated("/name", "A connection with this name already exists.", () =>
    inTenant(ctx, async (tx) => {
      const dataKey = await dataKeyForWriting(tx, ctx.tenantId);
      const others = await tx.providerConnection.groupBy({
        by: ["adapter"],
        where: { tenantId: ctx.tenantId },
        _count: true,
      });
      if (others.reduce((sum, { _count }) => sum + _count, 0) >= mostConnections) {
        throw new DomainError(
          "conflict",
          `An organisation has at most ${String(mostConnections)} connections.`,
        );
      }
      if (simulator && others.some((other) => other.adapter === "simulator")) {
        throw new DomainError("conflict", "The organisation already has a simulator.");
      }
      await refuseTakenSenders(
        tx,
        catalogue,
        { tenantId: ctx.tenantId, id, unitId, sandbox: simulator },
        senders,
      );
      await insertConnection(ctx, tx, dataKey, {
        id,
        unitId,
        name: input.name,
        adapter: adapter.name,
        channels,
        credentials,
        settings: parsed.settings,
        senders,
        ratePerSecond: input.ratePerSecond,
        maxConcurrency: input.maxConcurrency,
        slowAfterMs: input.slowAfterMs,
        priceList: input.priceList,
        processingRegion,
        ...inbound,
        enabled: input.enabled,
      });
      await recordPriceChanges(ctx, tx, { id, unitId }, [], input.priceList);
      await recordAudit(ctx, tx, {
        action: "provider.created",
        targetType: "provider",
        targetId: id,
        unitId,
        data: { name: input.name, credentials: Object.keys(credentials) },
        after: {
          provider: adapter.name,
          channels,
          processingRegion,
          enabled: input.enabled,
        },
      });
    }),
  );
  forgetConnections(ctx.tenantId);
  return getProvider(ctx, { id });
}
