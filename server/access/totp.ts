import { Secret, TOTP } from "otpauth";

/** As every authenticator app has it: SHA-1, six digits, a new code every 30 seconds. */
const secretBytes = 20;
/** Codes of the steps just before and after count, too: clocks differ. */
const window = 1;

/** A new secret, in base32. */
export function makeTotpSecret(): string {
  return new Secret({ size: secretBytes }).base32;
}

/** What the QR code says to the app. */
export function totpAddress(secret: string, account: { email: string; organisation: string }): string {
  const label = `${account.email} (${account.organisation})`;
  return new TOTP({ issuer: "Tidings", label, secret: Secret.fromBase32(secret) }).toString();
}

/** The step of 30 seconds that a code is of; null when it is none of now. */
export function stepOfCode(secret: string, code: string, at: Date): number | null {
  const timestamp = at.getTime();
  const delta = TOTP.validate({ token: code, secret: Secret.fromBase32(secret), timestamp, window });
  return delta === null ? null : TOTP.counter({ timestamp }) + delta;
}
