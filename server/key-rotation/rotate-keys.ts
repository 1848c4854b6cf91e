/**
 * Replacing keys while the service runs. Readers take what is sealed and the key that opens it from one statement;
 * writers hold the tenant's key until they have committed (dataKeyForWriting). So others see each change here whole or
 * not at all.
 */
import type pg from "pg";
import { openOperatorSecret, resealOperatorSecret } from "../access/operator-secret.ts";
import { secondFactorContext } from "../access/prove-second-factor.ts";
import { auditKeyContext } from "../audit/audit-key.ts";
import { checkSigner, resealSigner } from "../audit/reseal-signer.ts";
import { openChannelCredentials, resealChannelCredentials } from "../connections/channel-credentials.ts";
import { credentialsContext } from "../connections/load-connection.ts";
import { consentKeyContext } from "../consent/address-token.ts";
import { sealedRecipientsContext } from "../consent/sealed-recipients.ts";
import { inTransaction } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { derivedKey, newDataKey, openText, resealDataKey, sealText } from "../kernel/secrets.ts";
import { secretContext } from "../links/shortener.ts";
import { clientSecretContext } from "../sso/client-secret.ts";
import { signingSecretContext } from "../webhooks/signing-secret.ts";
import {
  selectChannelCredentials,
  sealedPortions,
  selectOperatorSecrets,
  selectTenantKey,
  selectTenantKeys,
  swapChannelCredentials,
  swapDataKey,
  swapOperatorSecret,
  writeDataKey,
  writeSealedFields,
} from "./queries.ts";
import type { SealedField, SealedTable, TenantKey } from "./queries.ts";

/** The worker's role for tenants' data, the tables' owner for the operator's own channels. */
export interface RotationDb {
  db: Pick<Db, "pool">;
  owner: Pick<pg.Pool, "query">;
}

export interface RotationCount {
  tenants: number;
  /** Tenants whose data key was resealed under the current master key, or replaced. */
  keys: number;
  /** Sealed fields of tenants: opened by a check, or resealed under new data keys. */
  fields: number;
  channels: number;
  /** Secrets of operators' authenticator apps. */
  operators: number;
  /** What no key opens, by its context; left as it is. */
  unreadable: string[];
}

const pageSize = 100;
const places: Record<SealedTable, (id: string) => string> = {
  provider_connections: credentialsContext,
  webhook_endpoints: signingSecretContext,
  shorteners: secretContext,
  identity_providers: clientSecretContext,
  second_factors: secondFactorContext,
  audit_chains: auditKeyContext,
  consent_keys: consentKeyContext,
  erasures: sealedRecipientsContext,
  idempotent_answers: (answerId) => `idempotent_answers:${answerId}`,
};

async function* tenantsFrom(db: RotationDb["db"], from: string | null): AsyncGenerator<TenantKey> {
  let after = from;
  for (;;) {
    const page = await selectTenantKeys(db.pool, after, pageSize);
    yield* page;
    const last = page.at(-1);
    if (page.length < pageSize || !last) return;
    after = last.id;
  }
}

const none = (): RotationCount => ({
  tenants: 0,
  keys: 0,
  fields: 0,
  channels: 0,
  operators: 0,
  unreadable: [],
});

/** The result of `work`, or the failure to open something. Only cryptography belongs in it. */
function opened<T>(work: () => T): { value: T } | null {
  // Wrong master keys are for the operator to fix, not something unreadable.
  derivedKey("data keys");
  try {
    return { value: work() };
  } catch {
    return null;
  }
}

const openField = (tenantId: string, dataKey: Buffer, field: SealedField) =>
  opened(() => openText(tenantId, dataKey, places[field.table](field.id), field.sealed));
const nameOf = (field: SealedField) => `${field.table}:${field.id} ${field.column}`;

/**
 * Reseals every tenant's data key, every channel of the operator and every operator's second factor under the current master key, where that has not
 * happened yet. May run any number of times, and continues after an interruption.
 */
export async function rotateMasterKey({ db, owner }: RotationDb): Promise<RotationCount> {
  const count = none();
  for await (const tenant of tenantsFrom(db, null)) {
    count.tenants += 1;
    const sealed = opened(() => resealDataKey(tenant.id, tenant.dataKey));
    if (!sealed) count.unreadable.push(`tenants:${tenant.id}`);
    // Where the key has changed since, it was sealed under the current master key.
    else if (sealed.value && (await swapDataKey(db.pool, tenant, sealed.value))) count.keys += 1;
  }
  for (const channel of await selectChannelCredentials(owner)) {
    const sealed = opened(() => resealChannelCredentials(channel.id, channel.credentials));
    if (!sealed) count.unreadable.push(`platform_channels:${channel.id}`);
    else if (sealed.value && (await swapChannelCredentials(owner, channel, sealed.value)))
      count.channels += 1;
  }
  for (const factor of await selectOperatorSecrets(owner)) {
    const sealed = opened(() => resealOperatorSecret(factor.id, factor.secret));
    if (!sealed) count.unreadable.push(`operator_second_factors:${factor.id}`);
    else if (sealed.value && (await swapOperatorSecret(owner, factor, sealed.value))) count.operators += 1;
  }
  count.unreadable.push(...(await resealSigner(owner)));
  return count;
}

/**
 * Gives every tenant a new data key and reseals everything under it, in one transaction per tenant. What cannot be
 * opened stays as it is; a tenant whose data key cannot be opened keeps it.
 * @param options.after continue after this tenant, the last one that was reported
 * @param options.onTenant called with the id of each tenant that is done
 */
export async function rotateDataKeys(
  { db }: RotationDb,
  options: { after?: string | null; onTenant?: (tenantId: string) => void } = {},
): Promise<RotationCount> {
  const count = none();
  for await (const { id } of tenantsFrom(db, options.after ?? null)) {
    count.tenants += 1;
    await inTransaction(db.pool, "BEGIN", async (client) => {
      const old = await selectTenantKey(client, id, true);
      if (!old) return;
      if (!opened(() => resealDataKey(id, old))) {
        count.unreadable.push(`tenants:${id}`);
        return;
      }
      const fresh = newDataKey(id);
      for await (const fields of sealedPortions(client, id, true)) {
        const resealed = fields.flatMap((field) => {
          const text = openField(id, old, field);
          if (text) {
            return [{ ...field, sealed: sealText(id, fresh, places[field.table](field.id), text.value) }];
          }
          count.unreadable.push(nameOf(field));
          return [];
        });
        await writeSealedFields(client, id, resealed);
        count.fields += resealed.length;
      }
      await writeDataKey(client, id, fresh);
      count.keys += 1;
    });
    options.onTenant?.(id);
  }
  return count;
}

/**
 * Opens everything that is sealed and changes nothing. `keys` counts those that are not under the current master key.
 */
export async function checkKeys({ db, owner }: RotationDb): Promise<RotationCount> {
  const count = none();
  for await (const { id } of tenantsFrom(db, null)) {
    count.tenants += 1;
    // Key and fields from one snapshot, whatever is rotated meanwhile.
    await inTransaction(db.pool, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", async (client) => {
      const key = await selectTenantKey(client, id, false);
      if (!key) return;
      const current = opened(() => resealDataKey(id, key));
      if (!current) {
        count.unreadable.push(`tenants:${id}`);
        return;
      }
      if (current.value) count.keys += 1;
      for await (const fields of sealedPortions(client, id, false)) {
        for (const field of fields) {
          if (openField(id, key, field)) count.fields += 1;
          else count.unreadable.push(nameOf(field));
        }
      }
    });
  }
  for (const { id, credentials } of await selectChannelCredentials(owner)) {
    if (opened(() => openChannelCredentials(id, credentials))) count.channels += 1;
    else count.unreadable.push(`platform_channels:${id}`);
  }
  for (const { id, secret } of await selectOperatorSecrets(owner)) {
    if (opened(() => openOperatorSecret(id, secret))) count.operators += 1;
    else count.unreadable.push(`operator_second_factors:${id}`);
  }
  count.unreadable.push(...(await checkSigner(owner)));
  return count;
}
