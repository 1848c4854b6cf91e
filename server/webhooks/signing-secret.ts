import { randomBytes } from "node:crypto";
import { openText, sealText } from "../kernel/secrets.ts";

const prefix = "whsec_";

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
