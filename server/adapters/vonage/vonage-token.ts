/**
 * The token with which Vonage's APIs are called: a JWT of the application, signed with its private key (RS256).
 * Source: https://developer.vonage.com/en/getting-started/concepts/authentication
 */
import { createHash, createPrivateKey, randomUUID } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { SignJWT } from "jose";
import type { VonageCredentials } from "./schemas.ts";

const LIFETIME_S = 900;
/** Vonage must still accept it when the request arrives, whatever its clock says. */
const RESERVE_S = 300;
const MAX_TOKENS = 1_000;

const tokens = new Map<string, { until: number; token: Promise<string> }>();

/**
 * A token that is good for at least five more minutes; null when the private key cannot be read. One token serves all
 * messages of ten minutes: Vonage lets it, and an RSA signature for each would be most of what a message costs us.
 */
export async function vonageToken(
  { applicationId, privateKey }: Pick<VonageCredentials, "applicationId" | "privateKey">,
  now: number = Date.now(),
): Promise<string | null> {
  // Not the key itself: what is kept for long should be worth little.
  const name = createHash("sha256").update(`${applicationId}\n${privateKey}`).digest("base64");
  const known = tokens.get(name);
  if (known && known.until > now) return known.token;
  const key = readKey(privateKey);
  if (!key) return null;
  const issued = Math.floor(now / 1_000);
  const token = new SignJWT({ application_id: applicationId })
    .setProtectedHeader({ alg: "RS256", typ: "JWT" })
    .setIssuedAt(issued)
    .setExpirationTime(issued + LIFETIME_S)
    .setJti(randomUUID())
    .sign(key);
  tokens.delete(name);
  tokens.set(name, { until: now + (LIFETIME_S - RESERVE_S) * 1_000, token });
  const [oldest] = tokens.keys();
  if (tokens.size > MAX_TOKENS && oldest !== undefined) tokens.delete(oldest);
  return token;
}

/** An RSA private key; null for anything else. */
export function readKey(pem: string): KeyObject | null {
  try {
    // Keys out of environment files have their line breaks written out.
    const key = createPrivateKey(pem.replaceAll("\\n", "\n"));
    return key.asymmetricKeyType === "rsa" ? key : null;
  } catch {
    return null;
  }
}
