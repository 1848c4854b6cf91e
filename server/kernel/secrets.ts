import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { env } from "./env.ts";

const version = 1;

function seal(key: Buffer, plain: Buffer, context: string): Buffer {
  const iv = randomBytes(12);
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

function masterKey(): Buffer {
  const configured = env().secretKey;
  const key = Buffer.from(configured ?? "", "base64");
  if (key.length !== 32)
    throw new Error("Wrong configuration: TIDINGS_SECRET_KEY must be 32 bytes in base64");
  return key;
}

/** A key for another purpose, derived from the master key (HKDF-SHA-256), e.g. for session tokens. */
export function derivedKey(purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", masterKey(), Buffer.alloc(0), `tidings ${purpose}`, 32));
}

/** A tenant's new data key, sealed under the master key (envelope encryption), to be stored with the tenant. */
export function newDataKey(tenantId: string): Buffer {
  return seal(derivedKey("data keys"), randomBytes(32), tenantId);
}

/**
 * Seals a text under the tenant's data key (AES-256-GCM). `place` names the field, e.g. "provider_connections:<id>": what
 * was sealed for one place cannot be opened in another.
 */
export function sealText(tenantId: string, dataKey: Uint8Array, place: string, text: string): Buffer {
  return seal(
    open(derivedKey("data keys"), Buffer.from(dataKey), tenantId),
    Buffer.from(text),
    `${tenantId} ${place}`,
  );
}

/** Opens what sealText sealed for the same tenant and place; throws otherwise. */
export function openText(tenantId: string, dataKey: Uint8Array, place: string, box: Uint8Array): string {
  return open(
    open(derivedKey("data keys"), Buffer.from(dataKey), tenantId),
    Buffer.from(box),
    `${tenantId} ${place}`,
  ).toString();
}
