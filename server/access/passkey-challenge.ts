import { createHmac, hash, randomBytes, timingSafeEqual } from "node:crypto";
import { derivedKey, derivedKeys } from "../kernel/secrets.ts";

/** How long a challenge can be answered. */
export const challengeSeconds = 300;

const randomLength = 16;
const macLength = 32;
const length = 4 + randomLength + macLength;

/** What a challenge is for; it can be answered for nothing else. */
export type ChallengeFor =
  /** A sign-in from the browser that has this cookie. */
  | { browser: string }
  /** A new passkey of the person of this session. */
  | { tenantId: string; userId: string; sessionId: string };

const purposeText = (purpose: ChallengeFor): string =>
  "browser" in purpose
    ? `sign-in\n${purpose.browser}`
    : `register\n${purpose.tenantId}\n${purpose.userId}\n${purpose.sessionId}`;

const sign = (key: Buffer, stated: Buffer, purpose: ChallengeFor): Buffer =>
  createHmac("sha256", key).update(stated).update(purposeText(purpose)).digest();

/**
 * A challenge that says itself until when it counts and, signed, what for, so that nothing is stored for whoever asks for one.
 * That it counts once is takeChallenge's.
 */
export function makeChallenge(purpose: ChallengeFor, at: Date): Buffer {
  const expires = Buffer.alloc(4);
  expires.writeUInt32BE(Math.floor(at.getTime() / 1_000) + challengeSeconds);
  const stated = Buffer.concat([expires, randomBytes(randomLength)]);
  return Buffer.concat([stated, sign(derivedKey("passkey challenges"), stated, purpose)]);
}

/** A challenge of ours that still counts, for this purpose; otherwise null. */
export function readChallenge(
  text: string,
  purpose: ChallengeFor,
  at: Date,
): { hash: Buffer; expiresAt: Date } | null {
  if (text.length > 200) return null;
  const challenge = Buffer.from(text, "base64url");
  if (challenge.length !== length) return null;
  const stated = challenge.subarray(0, 4 + randomLength);
  const given = challenge.subarray(stated.length);
  const fits = derivedKeys("passkey challenges").some((key) =>
    timingSafeEqual(given, sign(key, stated, purpose)),
  );
  const expiresAt = new Date(stated.readUInt32BE(0) * 1_000);
  return fits && expiresAt > at ? { hash: hash("sha256", challenge, "buffer"), expiresAt } : null;
}

const cookieLength = 24;

/** What a browser keeps while it signs in, so that a challenge is answered in the browser that asked for it. */
export const makeBrowserCookie = (): string => randomBytes(cookieLength).toString("base64url");

/** A cookie as we make them; null for anything else. */
export const readBrowserCookie = (text: string | null): string | null =>
  text !== null && /^[\w-]{32}$/.test(text) ? text : null;
