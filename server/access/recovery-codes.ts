import { hash, randomBytes } from "node:crypto";

/** How many there are of one person. */
export const recoveryCodeCount = 10;

// Crockford's: no letter that looks like a digit.
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const characters = 16;

/** A new code of 80 random bits, to be written down: "4k7c-9tqw-m2xh-e8rv". */
export function makeRecoveryCode(): string {
  const text = Array.from(randomBytes(characters), (byte) => alphabet[byte % alphabet.length]).join("");
  return text.replace(/(.{4})(?=.)/g, "$1-");
}

/** The new codes of one person, with what is stored of them. */
export function makeRecoveryCodes(): { codes: string[]; hashes: Buffer[] } {
  const codes = Array.from({ length: recoveryCodeCount }, makeRecoveryCode);
  const hashes = codes.map((code) => {
    const stored = recoveryCodeHash(code);
    if (!stored) throw new Error("a recovery code that we made is none");
    return stored;
  });
  return { codes, hashes };
}

/** What was typed where a code is asked for: one of the app, what is stored of a recovery code, or neither. */
export function readCode(typed: string): { digits: string } | { hash: Buffer } | null {
  const digits = typed.replaceAll(/\s/g, "");
  if (/^\d{6}$/.test(digits)) return { digits };
  const stored = recoveryCodeHash(typed);
  return stored && { hash: stored };
}

/** What is stored of a code, however it was typed; null for what is none. */
export function recoveryCodeHash(typed: string): Buffer | null {
  const text = typed.toLowerCase().replaceAll(/[\s-]/g, "").replaceAll("o", "0").replaceAll(/[il]/g, "1");
  return text.length === characters && /^[0-9a-hjkmnp-tv-z]+$/.test(text)
    ? hash("sha256", text, "buffer")
    : null;
}
