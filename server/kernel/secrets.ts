import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { env } from "./env.ts";

const version = 1;

function seal(key: Buffer, plain: Buffer, context: string, iv = randomBytes(12)): Buffer {
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  cipher.setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([Buffer.from([version]), iv, cipher.getAuthTag(), sealed]);
}

function open(key: Buffer, box: Buffer, context: string): Buffer {
  if (box[0] !== version) throw new Error("sealed under an unknown format");
  const decipher = createDecipheriv("aes-256-gcm", key, box.subarray(1, 13));
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(box.subarray(13, 29));
  return Buffer.concat([decipher.update(box.subarray(29)), decipher.final()]);
}

/** The master key that seals, and those that may still open what was sealed before a rotation. */
export interface MasterKeys {
  current: Buffer;
  previous: readonly Buffer[];
}

let replaced: MasterKeys | undefined;

/** For tests and rotation checks: replaces the environment's keys; undefined: back to the environment's. */
export function replaceMasterKeys(keys: MasterKeys | undefined): void {
  replaced = keys;
}

function readKey(variable: string, text: string): Buffer {
  const key = Buffer.from(text, "base64");
  if (key.length !== 32) throw new Error(`Wrong configuration: ${variable} must be 32 bytes in base64`);
  return key;
}

function masterKeys(): MasterKeys {
  return (
    replaced ?? {
      current: readKey("TIDINGS_SECRET_KEY", env().secretKey ?? ""),
      previous: env().previousSecretKeys.map((text) => readKey("each of TIDINGS_PREVIOUS_SECRET_KEYS", text)),
    }
  );
}

function derive(master: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", master, Buffer.alloc(0), `tidings ${purpose}`, 32));
}

/** A key for another purpose, derived from the master key (HKDF-SHA-256), e.g. for session tokens. */
export function derivedKey(purpose: string): Buffer {
  return derive(masterKeys().current, purpose);
}

/** All keys for a purpose, the current one first, then previous ones. */
export function derivedKeys(purpose: string): [Buffer, ...Buffer[]] {
  const { current, previous } = masterKeys();
  return [derive(current, purpose), ...previous.map((key) => derive(key, purpose))];
}

/** Opens with the first key that fits. `key` counts from 0, the current one. */
function openWithAny(purpose: string, box: Buffer, context: string): { plain: Buffer; key: number } {
  let first: unknown;
  for (const [index, key] of derivedKeys(purpose).entries()) {
    try {
      return { plain: open(key, box, context), key: index };
    } catch (error) {
      first ??= error;
    }
  }
  throw first;
}

/**
 * Seals a text that belongs to no tenant, such as the credentials of the operator's own channels, under a key derived
 * from the master key. `purpose` and `context` name it: what was sealed for one context cannot be opened in another.
 */
export function sealOwn(purpose: string, context: string, text: string): Buffer {
  return seal(derivedKey(purpose), Buffer.from(text), context);
}

/**
 * As sealOwn, but the same text becomes the same bytes, for what must not differ from one attempt to the next: whoever sees two can
 * tell whether they hold the same. The initialisation vector is a keyed hash of the text, so that no two texts share one.
 */
export function sealOwnAlike(purpose: string, context: string, text: string): Buffer {
  const hash = createHmac("sha256", derivedKey(`${purpose}, vectors`))
    .update(`${context}\0${text}`)
    .digest();
  return seal(derivedKey(purpose), Buffer.from(text), context, hash.subarray(0, 12));
}

/** Opens what sealOwn sealed for the same purpose and context, also under a previous master key; throws otherwise. */
export function openOwn(purpose: string, context: string, box: Uint8Array): string {
  return openWithAny(purpose, Buffer.from(box), context).plain.toString();
}

/**
 * What sealOwn sealed, sealed again under the current master key; null when it already is. Throws when no key opens it.
 */
export function resealOwn(purpose: string, context: string, box: Uint8Array): Buffer | null {
  const { plain, key } = openWithAny(purpose, Buffer.from(box), context);
  return key === 0 ? null : seal(derivedKey(purpose), plain, context);
}

const dataKeys = "data keys";

/** A new data key for a tenant, sealed under the master key (envelope encryption), to be stored with the tenant. */
export function newDataKey(tenantId: string): Buffer {
  return seal(derivedKey(dataKeys), randomBytes(32), tenantId);
}

/** The same data key sealed under the current master key; null when it already is. Throws when no key opens it. */
export function resealDataKey(tenantId: string, dataKey: Uint8Array): Buffer | null {
  return resealOwn(dataKeys, tenantId, dataKey);
}

function openDataKey(tenantId: string, dataKey: Uint8Array): Buffer {
  return openWithAny(dataKeys, Buffer.from(dataKey), tenantId).plain;
}

/**
 * Seals a text under the tenant's data key (AES-256-GCM). `context` names the field, e.g. "provider_connections:<id>":
 * what was sealed for one context cannot be opened in another. Callers who store the result take the data key from
 * `dataKeyForWriting`, in the same transaction: a rotation of data keys must not miss it.
 */
export function sealText(tenantId: string, dataKey: Uint8Array, context: string, text: string): Buffer {
  return seal(openDataKey(tenantId, dataKey), Buffer.from(text), `${tenantId} ${context}`);
}

/**
 * Opens what sealText sealed for the same tenant and context; throws otherwise. Data key and sealed text must come from
 * one statement: between two, a rotation may have changed both.
 */
export function openText(tenantId: string, dataKey: Uint8Array, context: string, box: Uint8Array): string {
  return open(openDataKey(tenantId, dataKey), Buffer.from(box), `${tenantId} ${context}`).toString();
}
