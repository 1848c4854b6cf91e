import { hash } from "node:crypto";

/** Names that are remembered of a file; of a longer one, repetitions of what comes after are not noticed. */
const mostMarks = 4_000_000;
const recordBytes = 8;
/** Each grows by itself: none takes long to. */
const parts = 256;
const firstSlots = 64;

/** Names by 48 bits of their hash, with 16 bits of what was said of them; 8 bytes each, and as many to spare. */
class Part {
  private low = new Uint32Array(firstSlots);
  /** 16 bits of the hash, then what was said, which is never 0. */
  private high = new Uint32Array(firstSlots);
  private used = 0;

  get(low: number, high: number): number | undefined {
    const word = this.high[this.slotOf(low, high)] ?? 0;
    return word === 0 ? undefined : word & 0xffff;
  }

  /** Whether it is new. */
  set(low: number, high: number, says: number): boolean {
    if (this.used * 4 >= this.low.length * 3) this.grow();
    const slot = this.slotOf(low, high);
    const isNew = this.high[slot] === 0;
    if (isNew) this.used++;
    this.low[slot] = low;
    this.high[slot] = ((high << 16) | says) >>> 0;
    return isNew;
  }

  private slotOf(low: number, high: number): number {
    const mask = this.low.length - 1;
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const word = this.high[slot] ?? 0;
      if (word === 0 || (this.low[slot] === low && word >>> 16 === high)) return slot;
    }
  }

  private grow(): void {
    const [low, high] = [this.low, this.high];
    this.low = new Uint32Array(low.length * 2);
    this.high = new Uint32Array(low.length * 2);
    for (let at = 0; at < low.length; at++) {
      const word = high[at] ?? 0;
      if (word === 0) continue;
      const slot = this.slotOf(low[at] ?? 0, word >>> 16);
      this.low[slot] = low[at] ?? 0;
      this.high[slot] = word;
    }
  }
}

/**
 * Whom a dry run has read about so far and what was said of them, in little memory: a row that stands in the file twice is counted
 * as the import will. What was added since is taken out as bytes, and put in again where the dry run goes on.
 */
export class Marks {
  private readonly importId: string;
  private readonly parts = Array.from({ length: parts }, () => new Part());
  private readonly most: number;
  private count = 0;
  private added: number[] = [];

  constructor(importId: string, most = mostMarks) {
    this.importId = importId;
    this.most = most;
  }

  /** What was said of this name last, 1 to 65,535. */
  get(name: string): number | undefined {
    const [part, low, high] = this.placeOf(name);
    return part.get(low, high);
  }

  set(name: string, says: number): void {
    const [part, low, high] = this.placeOf(name);
    if (this.count >= this.most && part.get(low, high) === undefined) return;
    if (part.set(low, high, says)) this.count++;
    this.added.push(low, high, says);
  }

  /** What was added since it was asked for last; null: nothing. */
  take(): Buffer | null {
    if (this.added.length === 0) return null;
    const data = Buffer.alloc((this.added.length / 3) * recordBytes);
    for (let at = 0, to = 0; at < this.added.length; at += 3, to += recordBytes) {
      data.writeUInt32LE(this.added[at] ?? 0, to);
      data.writeUInt16LE(this.added[at + 1] ?? 0, to + 4);
      data.writeUInt16LE(this.added[at + 2] ?? 0, to + 6);
    }
    this.added = [];
    return data;
  }

  put(data: Buffer): void {
    for (let at = 0; at + recordBytes <= data.length; at += recordBytes) {
      const low = data.readUInt32LE(at);
      if (this.partOf(low).set(low, data.readUInt16LE(at + 4), data.readUInt16LE(at + 6))) this.count++;
    }
  }

  private placeOf(name: string): [Part, number, number] {
    const digest = hash("sha256", `${this.importId} ${name}`, "buffer");
    const low = digest.readUInt32LE(0);
    return [this.partOf(low), low, digest.readUInt16LE(4)];
  }

  private partOf(low: number): Part {
    const part = this.parts[low >>> 24];
    if (!part) throw new Error("there is no such part");
    return part;
  }
}
