/**
 * Where the mail comes back to that cannot be delivered: an address of its own for each message (VERP), so that a bounce says
 * whose it is whatever it looks like. It is made of digits and small letters, because mail servers change case.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { bytesOfId, idOfHex } from "../../kernel/ids.ts";
import { derivedKey, derivedKeys } from "../../kernel/secrets.ts";

const purpose = "bounce addresses";
const localName = "bounces";
/** RFC 4648's base32 with the digits first and without padding ("base32hex"), in small letters. */
const alphabet = "0123456789abcdefghijklmnopqrstuv";
const idBytes = 16;
const macBytes = 16;
const tokenPattern = /^[0-9a-v]{53}$/;

/** What an address was made for. */
export interface Bounced {
  notificationId: string;
  attempt: number;
}

/**
 * `bounces+<token>`, 61 of the 64 characters that a local part may have.
 * @param connectionId of the connection, or of the operator's channel that it uses
 * @param domain to which bounces are to go
 */
export function bounceAddress(
  connectionId: string,
  { notificationId, attempt }: Bounced,
  domain: string,
): string {
  const body = Buffer.concat([bytesOfId(notificationId), Buffer.from([Math.min(attempt, 255)])]);
  const token = encode(Buffer.concat([body, macOf(derivedKey(purpose), connectionId, body)]));
  return `${localName}+${token}@${domain}`;
}

/** What the address was made for; null for one that was not made here for this connection. Case does not matter. */
export function readBounceAddress(connectionId: string, address: string, domain: string): Bounced | null {
  const [local = "", host, ...rest] = address.trim().toLowerCase().split("@");
  if (rest.length > 0 || host !== domain.toLowerCase() || !local.startsWith(`${localName}+`)) return null;
  const token = local.slice(localName.length + 1);
  if (!tokenPattern.test(token)) return null;
  const bytes = decode(token);
  const [body, mac] = [bytes.subarray(0, idBytes + 1), bytes.subarray(idBytes + 1)];
  if (!derivedKeys(purpose).some((key) => timingSafeEqual(macOf(key, connectionId, body), mac))) return null;
  return { notificationId: idOfHex(body.toString("hex", 0, idBytes)), attempt: body[idBytes] ?? 1 };
}

/** A connection belongs to one organisation, and its id to no other. What a channel's address names is searched for among all that use it. */
function macOf(key: Buffer, connectionId: string, body: Uint8Array): Buffer {
  return createHmac("sha256", key)
    .update(`${connectionId.toLowerCase()}\n`)
    .update(body)
    .digest()
    .subarray(0, macBytes);
}

function encode(bytes: Uint8Array): string {
  let [bits, held, text] = [0, 0, ""];
  for (const byte of bytes) {
    held = (held << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet.charAt((held >> (bits - 5)) & 31);
    held &= 31;
  }
  return bits > 0 ? text + alphabet.charAt((held << (5 - bits)) & 31) : text;
}

function decode(text: string): Buffer {
  const bytes: number[] = [];
  let [bits, held] = [0, 0];
  for (const letter of text) {
    held = ((held << 5) | alphabet.indexOf(letter)) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((held >> bits) & 255);
    }
  }
  return Buffer.from(bytes);
}
