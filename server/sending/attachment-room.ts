/** Bytes of attachments that one process holds at once, and of them those of one tenant. */
export const attachmentLimits = {
  /** What mail servers commonly accept, all attachments of a message together. */
  message: 10 * 1024 * 1024,
  tenant: 20 * 1024 * 1024,
  process: 40 * 1024 * 1024,
} as const;

/**
 * Room for attachments between fetching and sending. A message takes room for all that it may fetch before it fetches, keeps
 * what it needs, and frees it when it has been sent; one that finds none comes back later.
 */
export class AttachmentRoom {
  private readonly held = new WeakMap<object, { tenantId: string; bytes: number }>();
  private readonly tenants = new Map<string, number>();
  private taken = 0;

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
    this.held.set(message, { tenantId, bytes: 0 });
    this.change(message, bytes);
    return true;
  }

  /** So many bytes were fetched: the rest is free again. */
  keep(message: object, bytes: number): void {
    this.change(message, bytes);
  }

  /** The message is sent, or will not be; harmless when it holds nothing. */
  free(message: object): void {
    this.change(message, 0);
    this.held.delete(message);
  }

  private change(message: object, bytes: number): void {
    const held = this.held.get(message);
    if (!held) return;
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
