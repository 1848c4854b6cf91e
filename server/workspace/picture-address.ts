import { createHmac, timingSafeEqual } from "node:crypto";
import { derivedKey, derivedKeys } from "../kernel/secrets.ts";

const purpose = "addresses of logos";
const digestLength = 43;
const markLength = 22;
const namePattern = /^[\w-]{43}\.[\w-]{22}$/;
const tenantPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

const markOf = (key: Buffer, tenantId: string, digest: string) =>
  createHmac("sha256", key).update(`${tenantId} ${digest}`).digest("base64url").slice(0, markLength);

/**
 * Where anybody gets a logo. The address carries a mark of ours, so that one which was made up is known to be wrong without a look
 * into the database.
 */
export function picturePath(tenantId: string, digest: Uint8Array): string {
  const text = Buffer.from(digest).toString("base64url");
  return `/api/app/brand/${tenantId}/${text}.${markOf(derivedKey(purpose), tenantId, text)}`;
}

/** The digest that an address names; null for one that is not ours. Those of a previous master key are, as long as it is known. */
export function readPictureName(tenantId: string, name: string): Buffer | null {
  if (!tenantPattern.test(tenantId) || !namePattern.test(name)) return null;
  const digest = name.slice(0, digestLength);
  const mark = Buffer.from(name.slice(-markLength));
  const ours = derivedKeys(purpose).some((key) =>
    timingSafeEqual(Buffer.from(markOf(key, tenantId, digest)), mark),
  );
  return ours ? Buffer.from(digest, "base64url") : null;
}
