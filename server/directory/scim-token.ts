import { hash, randomBytes } from "node:crypto";
import { bytesOfId, idOfHex } from "../kernel/ids.ts";
import { sameBytes } from "../kernel/same-secret.ts";

/** The token names tenant and row, so that it is looked up under row-level security like anything else. */
const prefix = "tdg_scim_";
const idBytes = 16;
const secretBytes = 32;
const shape = /^tdg_scim_[A-Za-z0-9_-]{86}$/;

/** A fast hash is right here: the token holds 256 random bits. */
const hashOf = (text: string): Buffer => hash("sha256", text, "buffer");

/** A new token: the text to show once, and what is stored of it. */
export function makeScimToken(tenantId: string, id: string): { text: string; hash: Buffer; hint: string } {
  const secret = randomBytes(secretBytes);
  const text = prefix + Buffer.concat([bytesOfId(tenantId), bytesOfId(id), secret]).toString("base64url");
  return { text, hash: hashOf(text), hint: `${prefix}…${text.slice(-4)}` };
}

/** Which row a text names; undefined for one that is none of ours. Does not ask the database. */
export function readScimToken(text: string): { tenantId: string; id: string } | undefined {
  if (!shape.test(text)) return undefined;
  const bytes = Buffer.from(text.slice(prefix.length), "base64url");
  return {
    tenantId: idOfHex(bytes.toString("hex", 0, idBytes)),
    id: idOfHex(bytes.toString("hex", idBytes, 2 * idBytes)),
  };
}

/** Whether a text matches a stored hash, in constant time. */
export function scimTokenMatches(text: string, stored: Uint8Array): boolean {
  return sameBytes(hashOf(text), stored);
}
