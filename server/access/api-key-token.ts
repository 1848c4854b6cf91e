import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";
import type { EnvironmentKind } from "../tenancy/schemas.ts";

// tdg_live_ + id (16 bytes) + secret (32 bytes) + CRC-32 of all before it, in base 62 of fixed width: one word to
// select with a double click, and a typing error is told without asking the database.
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

function encode(value: bigint, length: number): string {
  let text = "";
  let rest = value;
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

/** What is stored of a key. A fast hash is right here: the secret has 256 random bits, there is nothing to guess. */
function hashOf(text: string): Buffer {
  return hash("sha256", text, "buffer");
}

/** A new key for the id: its plain text, to be shown once, and what is kept of it. */
export function makeApiKeyToken(
  id: string,
  kind: EnvironmentKind,
): { text: string; hash: Buffer; hint: string } {
  const body =
    prefixes[kind] +
    encode(BigInt(`0x${id.replaceAll("-", "")}`), idLength) +
    encode(BigInt(`0x${randomBytes(32).toString("hex")}`), secretLength);
  const text = body + checksum(body);
  return { text, hash: hashOf(text), hint: `${prefixes[kind]}…${text.slice(-4)}` };
}

/** The part of a well-formed key that names it, or undefined for anything else. Asks nobody. */
export function apiKeyName(text: string): string | undefined {
  if (!pattern.test(text)) return undefined;
  const split = text.length - checksumLength;
  if (text.slice(split) !== checksum(text.slice(0, split))) return undefined;
  const start = split - secretLength - idLength;
  return text.slice(start, start + idLength);
}

/** The id that a key's name stands for, or undefined when it stands for none. */
export function apiKeyId(name: string): string | undefined {
  let value = 0n;
  for (const character of name) value = value * 62n + BigInt(alphabet.indexOf(character));
  const digits = value.toString(16).padStart(32, "0");
  if (digits.length > 32) return undefined;
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;
}

/** Whether a key's text is the one that was hashed; takes the same time wherever they differ. */
export function apiKeyMatches(text: string, stored: Uint8Array): boolean {
  const given = hashOf(text);
  return given.length === stored.length && timingSafeEqual(given, stored);
}
