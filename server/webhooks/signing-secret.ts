import { randomBytes } from "node:crypto";
import { openText, sealText } from "../kernel/secrets.ts";

const prefix = "whsec_";

/** A secret that was rotated away and still signs. */
export interface OldSecret {
  secret: string;
  until: Date;
}

/** How many of them an endpoint has at most: each is one more signature in the header of every event. */
export const mostOldSecrets = 10;

/** A new secret in the form of the Standard Webhooks specification: `whsec_` and 32 random bytes in base64. */
export function newSigningSecret(): string {
  return prefix + randomBytes(32).toString("base64");
}

/** The bytes that sign, from a secret in its written form. */
export function signingKey(secret: string): Buffer {
  return Buffer.from(secret.slice(prefix.length), "base64");
}

/** The context under which an endpoint's secrets are sealed. */
export function signingSecretContext(endpointId: string): string {
  return `webhook_endpoints:${endpointId}`;
}

/** For the columns `secret` and `previous_secret` of one endpoint. */
export function sealSigningSecret(tenantId: string, dataKey: Uint8Array, endpointId: string, secret: string) {
  return sealText(tenantId, dataKey, signingSecretContext(endpointId), secret);
}

export function openSigningSecret(
  tenantId: string,
  dataKey: Uint8Array,
  endpointId: string,
  box: Uint8Array,
): string {
  return openText(tenantId, dataKey, signingSecretContext(endpointId), box);
}

/**
 * Old secrets as the text of `previous_secret`, the newest first: one a line, each but the first with its end. The first one's is
 * in the column `previous_secret_expires_at`.
 */
export function writeOldSecrets(secrets: readonly OldSecret[]): string {
  return secrets
    .map(({ secret, until }, index) => (index === 0 ? secret : `${secret} ${until.toISOString()}`))
    .join("\n");
}

/** Those of that text that still sign. */
export function oldSecretsAt(text: string, newestUntil: Date, now: Date): OldSecret[] {
  return text
    .split("\n")
    .map((line) => {
      const [secret = "", until] = line.split(" ");
      return { secret, until: until === undefined ? newestUntil : new Date(until) };
    })
    .filter(({ until }) => until > now);
}
