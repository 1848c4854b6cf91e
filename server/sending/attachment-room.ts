import { LRUCache } from "lru-cache";

/** Bytes of attachments that one process holds at once, and of them those of one tenant. */
export const attachmentLimits = {
  /** What mail servers commonly accept, all attachments of a message together. */
  message: 10 * 1024 * 1024,
  tenant: 20 * 1024 * 1024,
  process: 40 * 1024 * 1024,
} as const;

/** Nobody who finds no room comes back sooner, and nobody is told to stay away for longer, ms. */
const awayMs = { least: 50, most: 120_000 };

interface Held {
  tenantId: string;
  bytes: number;
  since: number;
  /** Bytes times milliseconds until `since`. */
  used: number;
  fetched: boolean;
}

/**
 * Room for attachments between fetching and sending. A message takes room for all that it may fetch before it is rendered,
 * keeps what it needs, and frees it when it has been sent; one that finds none lines up, and comes back later.
 */
export class AttachmentRoom {
  private readonly held = new WeakMap<object, Held>();
  private readonly tenants = new Map<string, number>();
  private taken = 0;
  /** What a message takes by and by, bytes times milliseconds. */
  private usual = attachmentLimits.message * 1_000;
  /** Where the last one of a tenant stands that was put off, ms since the epoch. */
  private readonly lines = new LRUCache<string, number>({ max: 10_000, ttl: awayMs.most });
  /** The same of those for whom the process had no room, whosever they are. */
  private line = 0;

  /** Bytes that are taken now. */
  get size(): number {
    return this.taken;
  }

  /** Takes room for the largest message; false when there is none. @param message whoever frees it */
  take(message: object, tenantId: string): boolean {
    const bytes = attachmentLimits.message;
    const ofTenant = (this.tenants.get(tenantId) ?? 0) + bytes;
    if (this.taken + bytes > attachmentLimits.process || ofTenant > attachmentLimits.tenant) return false;
    this.free(message);
    this.held.set(message, { tenantId, bytes: 0, since: performance.now(), used: 0, fetched: false });
    this.change(message, bytes);
    return true;
  }

  /**
   * When one that found no room is to come back, ms since the epoch: one after the other, as far apart as room comes free.
   * Many who came back at once would find none again.
   */
  lineUp(tenantId: string): number {
    const now = Date.now();
    const after = (last: number, room: number) =>
      Math.min(now + awayMs.most, Math.max(now + awayMs.least, last) + this.usual / room);
    const ofTenant = (this.tenants.get(tenantId) ?? 0) + attachmentLimits.message > attachmentLimits.tenant;
    let at: number;
    if (ofTenant) {
      at = after(this.lines.get(tenantId) ?? 0, attachmentLimits.tenant);
      this.lines.set(tenantId, at);
    } else at = this.line = after(this.line, attachmentLimits.process);
    return Math.ceil(at);
  }

  /** So many bytes were fetched: the rest is free again. */
  keep(message: object, bytes: number): void {
    this.change(message, bytes);
    const held = this.held.get(message);
    if (held) held.fetched = true;
  }

  /** The message is sent, or will not be; harmless when it holds nothing. */
  free(message: object): void {
    const held = this.held.get(message);
    if (!held) return;
    this.change(message, 0);
    this.held.delete(message);
    // One that was given up before it fetched anything says nothing of the others.
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

/** The room of this process. */
export const attachmentRoom = new AttachmentRoom();
