import { LRUCache } from "lru-cache";

/** Bytes of attachments that a process holds at once: for one message, one tenant, and in all. */
export const attachmentLimits = {
  /** What mail servers commonly accept, all attachments of a message together. */
  message: 10 * 1024 * 1024,
  tenant: 20 * 1024 * 1024,
  process: 40 * 1024 * 1024,
} as const;

/** The shortest and the longest time after which a message without room is tried again, ms. */
const retryMs = { least: 50, most: 120_000 };

interface Held {
  tenantId: string;
  bytes: number;
  since: number;
  /** Bytes times milliseconds until `since`. */
  used: number;
  fetched: boolean;
}

/**
 * The memory for attachments between fetching and sending. A message reserves the largest size before it is rendered,
 * shrinks that to what it fetched, and releases it when it has been sent; without room it is put off.
 */
export class AttachmentBudget {
  private readonly held = new WeakMap<object, Held>();
  private readonly tenants = new Map<string, number>();
  private taken = 0;
  /** Moving average of what a message uses, bytes times milliseconds. */
  private usual = attachmentLimits.message * 1_000;
  /** Until when the last message of each tenant was put off, ms since the epoch. */
  private readonly lines = new LRUCache<string, number>({ max: 10_000, ttl: retryMs.most });
  /** The same for messages of any tenant that the process had no room for. */
  private line = 0;

  /** Bytes that are reserved now. */
  get size(): number {
    return this.taken;
  }

  /** Reserves room for the largest message; false when there is none. @param message identifies the reservation */
  reserve(message: object, tenantId: string): boolean {
    const bytes = attachmentLimits.message;
    const ofTenant = (this.tenants.get(tenantId) ?? 0) + bytes;
    if (this.taken + bytes > attachmentLimits.process || ofTenant > attachmentLimits.tenant) return false;
    this.release(message);
    this.held.set(message, { tenantId, bytes: 0, since: performance.now(), used: 0, fetched: false });
    this.change(message, bytes);
    return true;
  }

  /**
   * When a message that found no room is to be tried again, ms since the epoch: one after the other, at the pace at which
   * room is released. Many that came back at once would find none again.
   */
  retryAt(tenantId: string): number {
    const now = Date.now();
    const after = (last: number, room: number) =>
      Math.min(now + retryMs.most, Math.max(now + retryMs.least, last) + this.usual / room);
    const ofTenant = (this.tenants.get(tenantId) ?? 0) + attachmentLimits.message > attachmentLimits.tenant;
    let at: number;
    if (ofTenant) {
      at = after(this.lines.get(tenantId) ?? 0, attachmentLimits.tenant);
      this.lines.set(tenantId, at);
    } else at = this.line = after(this.line, attachmentLimits.process);
    return Math.ceil(at);
  }

  /** `bytes` were fetched: the rest is free again. */
  shrink(message: object, bytes: number): void {
    this.change(message, bytes);
    const held = this.held.get(message);
    if (held) held.fetched = true;
  }

  /** The message was sent, or will not be; harmless when it holds nothing. */
  release(message: object): void {
    const held = this.held.get(message);
    if (!held) return;
    this.change(message, 0);
    this.held.delete(message);
    // A message without attachments says nothing about how long others hold their room.
    if (held.fetched || held.used > this.usual) this.usual += (held.used - this.usual) / 8;
  }

  private change(message: object, bytes: number): void {
    const held = this.held.get(message);
    if (!held) return;
    const now = performance.now();
    held.used += held.bytes * (now - held.since);
    held.since = now;
    const more = bytes - held.bytes;
    held.bytes = bytes;
    this.taken += more;
    const ofTenant = (this.tenants.get(held.tenantId) ?? 0) + more;
    if (ofTenant > 0) this.tenants.set(held.tenantId, ofTenant);
    else this.tenants.delete(held.tenantId);
  }
}

/** The budget of this process. */
export const attachmentBudget = new AttachmentBudget();
