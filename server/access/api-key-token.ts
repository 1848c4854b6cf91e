import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { bytesOfId, idOfHex } from "../kernel/ids.ts";
import { sameBytes } from "../kernel/same-secret.ts";
import type { EnvironmentKind } from "../tenancy/schemas.ts";

// tdg_live_ + id (16 bytes) + secret (32 bytes) + CRC-32 of what precedes it, in fixed-width base 62: one word that a
// double click selects, and typing errors are found without asking the database.
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const idLength = 22;
const secretLength = 43;
const checksumLength = 6;
const pattern = /^tdg_(?:live|test|sbx)_[0-9A-Za-z]{71}$/;

const prefixes: Record<EnvironmentKind, string> = {
  production: "tdg_live_",
  nonproduction: "tdg_test_",
  sandbox: "tdg_sbx_",
};

function encode(bytes: Buffer, length: number): string {
  let text = "";
  let rest = BigInt(`0x${bytes.toString("hex")}`);
  for (let i = 0; i < length; i++) {
    text = (alphabet[Number(rest % 62n)] ?? "") + text;
    rest /= 62n;
  }
  return text;
}

function checksum(text: string): string {
  let rest = crc32(text);
  let encoded = "";
  for (let i = 0; i < checksumLength; i++) {
    encoded = (alphabet[rest % 62] ?? "") + encoded;
    rest = Math.floor(rest / 62);
  }
  return encoded;
}

/** The stored hash of a key. A fast hash is right here: the secret has 256 random bits and cannot be guessed. */
function hashOf(text: string): Buffer {
  return hash("sha256", text, "buffer");
}

/** A new key for the id: the text to show once, and what is stored of it. */
export function makeApiKeyToken(
  id: string,
  kind: EnvironmentKind,
): { text: string; hash: Buffer; hint: string } {
  const body = prefixes[kind] + encode(bytesOfId(id), idLength) + encode(randomBytes(32), secretLength);
  const text = body + checksum(body);
  return { text, hash: hashOf(text), hint: `${prefixes[kind]}…${text.slice(-4)}` };
}

/** The name part of a well-formed key, or undefined. Does not ask the database. */
export function apiKeyName(text: string): string | undefined {
  if (!pattern.test(text)) return undefined;
  const split = text.length - checksumLength;
  if (text.slice(split) !== checksum(text.slice(0, split))) return undefined;
  const start = split - secretLength - idLength;
  return text.slice(start, start + idLength);
}

/** The id that a key's name encodes, or undefined. */
export function apiKeyId(name: string): string | undefined {
  let value = 0n;
  for (const character of name) value = value * 62n + BigInt(alphabet.indexOf(character));
  const digits = value.toString(16).padStart(32, "0");
  return digits.length > 32 ? undefined : idOfHex(digits);
}

/** Whether a key matches a stored hash, in constant time. */
export function apiKeyMatches(text: string, stored: Uint8Array): boolean {
  return sameBytes(hashOf(text), stored);
}
