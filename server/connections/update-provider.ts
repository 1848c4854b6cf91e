import { outdated } from "../access/revision.ts";
import { changes as changesOf } from "../audit/changes.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Prisma } from "../kernel/db.ts";
import { notFound } from "../kernel/errors.ts";
import type { DomainError } from "../kernel/errors.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";
import { dataKeyForWriting } from "../tenancy/data-key.ts";
import { refuseRepeated } from "../tenancy/unique-violation.ts";
import { changedConnection, namesOf } from "./change-connection.ts";
import type { ChangedConnection } from "./change-connection.ts";
import { authorizeConnectionChanges } from "./connection-access.ts";
import { probeSoon } from "./connection-state.ts";
import { getProvider } from "./get-provider.ts";
import { forgetConnections } from "./load-connection.ts";
import { oldSecretsAfter } from "./old-callback-secrets.ts";
import type { OldSecrets } from "./old-callback-secrets.ts";
import { recordPriceChanges } from "./price-changes.ts";
import { lockConnection } from "./queries.ts";
import type { SealedConnection } from "./queries.ts";
import { refuseTakenSenders } from "./resolve-senders.ts";
import { priceListSchema, storedSendersSchema } from "./schemas.ts";
import type { ProviderDetail, ProviderUpdate } from "./schemas.ts";
import { sealedCredentials, writeConnection } from "./store-connection.ts";
import { oldSecretsOf, openCredentials, requireConnection } from "./stored-connection.ts";

const tries = 3;

/**
 * Changes a connection; what the input leaves out stays. In force everywhere within two seconds. Needs providers:manage
 * where the connection is, and where it moves. Throws as createProvider does; `revision_conflict` when `updatedAt` is
 * given and somebody has changed it since; `conflict` for what the sandbox's simulator or the operator's channels need
 * as it is. Stored credentials are never sent to another address: a new address needs all of them again. Audited with
 * the names of what changed.
 */
export async function updateProvider(
  ctx: Ctx,
  input: { id: string; changes: ProviderUpdate },
): Promise<ProviderDetail> {
  const catalogue = await authorizeConnectionChanges(ctx);
  for (let attempt = 1; ; attempt += 1) {
    const row = await requireConnection(ctx, catalogue, "providers:manage", input.id);
    if (
      input.changes.updatedAt !== undefined &&
      Date.parse(input.changes.updatedAt) !== row.updatedAt.getTime()
    ) {
      throw conflict(row);
    }
    const changed = await changedConnection(ctx, catalogue, row, input.changes);
    const stored = await refuseRepeated("/name", "A connection with this name already exists.", () =>
      store(ctx, catalogue, row, changed, input.changes),
    );
    if (stored) break;
    // Somebody else was faster; without an expected state the change applies on top of theirs.
    if (attempt === tries || input.changes.updatedAt !== undefined) throw conflict(row);
  }
  forgetConnections(ctx.tenantId);
  return getProvider(ctx, { id: input.id });
}

function conflict(row: SealedConnection): DomainError {
  return outdated("the connection", { updatedAt: row.updatedAt.toISOString() });
}

/** What the trail tells of a connection: neither credentials nor settings, which may hold what nobody else should read. */
function auditedColumns(connection: ChangedConnection | SealedConnection): Record<string, unknown> {
  const senders = storedSendersSchema.safeParse(connection.senders).data ?? [];
  const prices = priceListSchema.safeParse(connection.priceList).data ?? [];
  return {
    name: connection.name,
    unitId: connection.unitId,
    channels: connection.channels,
    senders: senders.map(({ sender }) => sender),
    ratePerSecond: connection.ratePerSecond,
    maxConcurrency: connection.maxConcurrency,
    slowAfterMs: connection.slowAfterMs,
    prices: prices.length,
    processingRegion: connection.processingRegion,
    inboundApplicationId: connection.inboundApplicationId,
    inboundEnvironmentId: connection.inboundEnvironmentId,
    enabled: connection.enabled,
  };
}

/** What callbacks are verified with besides the credentials after a change; the same list when that stays as it is. */
function oldSecretsNow(
  ctx: Ctx,
  row: SealedConnection,
  { adapter, credentials }: ChangedConnection,
  changes: ProviderUpdate,
  old: OldSecrets,
): OldSecrets {
  if (changes.callbackOverlap === false) return old.length > 0 ? [] : old;
  if (credentials === null) return old;
  const before = openCredentials(ctx.tenantId, row) ?? {};
  return oldSecretsAfter(adapter, { before, after: credentials, old }, ctx.now());
}

/** False when the row has changed since it was read. What changes nothing is not written, and no event. */
async function store(
  ctx: Ctx,
  catalogue: Catalogue,
  row: SealedConnection,
  changed: ChangedConnection,
  changes: ProviderUpdate,
): Promise<boolean> {
  const { adapter: _, parsed, credentials, ...columns } = changed;
  return inTenant(ctx, async (tx) => {
    const dataKey = await dataKeyForWriting(tx, ctx.tenantId);
    const current = await lockConnection(tx, ctx.tenantId, row.id);
    if (!current) throw notFound();
    if (current.updatedAt.getTime() !== row.updatedAt.getTime()) return false;
    if (changes.senders !== undefined || changed.unitId !== row.unitId) {
      const place = { tenantId: ctx.tenantId, id: row.id, unitId: changed.unitId };
      const sandbox = changed.adapter.name === "simulator";
      await refuseTakenSenders(tx, catalogue, { ...place, sandbox }, changed.senders);
    }
    const data: Prisma.ProviderConnectionUpdateInput = { ...columns };
    if (parsed && changes.settings !== undefined) {
      data.settings = JSON.parse(JSON.stringify(parsed.settings)) as object;
    }
    const old = oldSecretsOf(ctx.tenantId, row, ctx.now());
    const oldNow = oldSecretsNow(ctx, row, changed, changes, old);
    if (oldNow !== old) {
      data.oldCallbackSecrets = oldNow.length > 0 ? sealedCredentials(ctx, dataKey, row.id, oldNow) : null;
    }
    // Credentials are not compared: given again, they are new.
    const differing = changesOf<Record<string, unknown>>({ ...row }, data).after;
    if (credentials === null && Object.keys(differing).length === 0 && oldNow === old) return true;
    if (credentials !== null) {
      data.credentials = sealedCredentials(ctx, dataKey, row.id, credentials);
    }
    await writeConnection(ctx, tx, row, data);
    if (changes.priceList !== undefined) {
      const before = priceListSchema.safeParse(row.priceList).data ?? [];
      await recordPriceChanges(ctx, tx, { id: row.id, unitId: changed.unitId }, before, changed.priceList);
    }
    // What was changed may have mended it.
    await probeSoon(ctx, tx, row.id);
    const names = namesOf(changes);
    const switched = changes.enabled !== undefined && changes.enabled !== row.enabled;
    const action = changed.enabled ? "provider.enabled" : "provider.disabled";
    await recordAudit(ctx, tx, {
      action: switched && names.length === 1 ? action : "provider.updated",
      targetType: "provider",
      targetId: row.id,
      unitId: changed.unitId,
      data: {
        name: changed.name,
        changed: names,
        ...(changes.credentials === undefined ? {} : { credentials: Object.keys(changes.credentials) }),
        ...(changes.settings === undefined ? {} : { settings: Object.keys(changes.settings) }),
      },
      ...changesOf(auditedColumns(row), auditedColumns(changed)),
    });
    return true;
  });
}
