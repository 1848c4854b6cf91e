import { openOwn, resealOwn, sealOwn } from "../kernel/secrets.ts";

const purpose = "operators' second factors";
const context = (operatorId: string): string => `operator_second_factors:${operatorId}`;

/** Seals the secret of an operator's authenticator app. Operators belong to no tenant, so no tenant's key opens it. */
export function sealOperatorSecret(operatorId: string, secret: string): Buffer {
  return sealOwn(purpose, context(operatorId), secret);
}

export function openOperatorSecret(operatorId: string, sealed: Uint8Array): string {
  return openOwn(purpose, context(operatorId), sealed);
}

/** Sealed again under the current master key; null when it already is. */
export function resealOperatorSecret(operatorId: string, sealed: Uint8Array): Buffer | null {
  return resealOwn(purpose, context(operatorId), sealed);
}
