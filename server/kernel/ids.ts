import { randomBytes } from "node:crypto";

let lastTime = 0;
let counter = 0;
let pool = Buffer.alloc(0);
let poolOffset = 0;

/** A clock that goes back by more was wrong before, ms: ids of a time to come would find no partition. */
const setBackMs = 10_000;

/**
 * A new UUIDv7 (RFC 9562 §5.7), increasing within this process: 48 bits of Unix milliseconds, a 12-bit counter, 62
 * random bits. Tables are partitioned and paged by these ids, so their order is the order of creation.
 */
export function newId(now: number = Date.now()): string {
  if (now > lastTime || lastTime - now > setBackMs) {
    lastTime = now;
    counter = 0;
  } else if (++counter > 0xfff) {
    lastTime++;
    counter = 0;
  }
  if (poolOffset + 8 > pool.length) {
    pool = randomBytes(8192);
    poolOffset = 0;
  }
  const random = pool.subarray(poolOffset, poolOffset + 8);
  poolOffset += 8;
  random[0] = ((random[0] ?? 0) & 0x3f) | 0x80;
  const time = lastTime.toString(16).padStart(12, "0");
  const tail = random.toString("hex");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, "0")}-${tail.slice(0, 4)}-${tail.slice(4)}`;
}

/** The smallest UUIDv7 of an instant: turns a time filter into a range of ids. */
export function idFloor(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/** When a UUIDv7 was made, in ms. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text is a UUID in the usual form; anything else is never sent to the database as one. */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}

/** The 16 bytes of a UUID. */
export function bytesOfId(id: string): Buffer {
  return Buffer.from(id.replaceAll("-", ""), "hex");
}

/** The UUID of 32 hexadecimal digits. */
export function idOfHex(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
