import { createHmac, randomBytes } from "node:crypto";
import { derivedKey } from "../kernel/secrets.ts";
import { sameBytes } from "../kernel/same-secret.ts";

/** How long a browser stays known after a sign-in, in seconds. */
export const deviceSeconds = 180 * 24 * 3_600;

const sign = (userId: string, nonce: string): Buffer =>
  createHmac("sha256", derivedKey("known device")).update(`${userId}\n${nonce}`).digest();

/**
 * The cookie that a browser keeps after a sign-in, so that failures elsewhere do not slow it down. It grants no access.
 */
export function makeDevice(userId: string): string {
  const nonce = randomBytes(16).toString("base64url");
  return `${nonce}.${sign(userId, nonce).toString("base64url")}`;
}

/** The device id, if the cookie was issued to this person; otherwise undefined. */
export function deviceOf(userId: string, text: string | null | undefined): string | undefined {
  const [nonce = "", signature = ""] = (text ?? "").slice(0, 200).split(".");
  const given = Buffer.from(signature, "base64url");
  return sameBytes(given, sign(userId, nonce)) ? nonce : undefined;
}
