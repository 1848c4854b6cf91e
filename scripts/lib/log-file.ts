import type { ChildProcess } from "node:child_process";
import { appendFileSync, closeSync, existsSync, fstatSync, openSync, renameSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const NEWLINE = 10;
/** What has no end of line is written all the same from this length on, bytes. */
const LONGEST_LINE = 1024 * 1024;

/** When a log is put aside, bytes, and how many older ones are kept. */
export type LogBounds = { largest: number; older: number };

/**
 * The log of one part, which never takes more than a bounded room, however long the part runs: the processes print into pipes, and
 * this puts the file aside as `.1` when it is full, between two lines. What the disk does not take is lost; the processes go on.
 */
export class LogFile {
  private readonly file: string;
  private readonly bounds: LogBounds;
  private readonly open = new Set<Promise<void>>();
  private log: { fd: number; size: number } | undefined;

  constructor(file: string, bounds: LogBounds = { largest: 10 * 1024 * 1024, older: 5 }) {
    this.file = file;
    this.bounds = bounds;
  }

  /** Takes what a process prints, whose standard output and error are pipes. */
  take(child: ChildProcess): void {
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue;
      let rest = Buffer.alloc(0);
      stream.on("data", (chunk: Buffer) => {
        const end = rest.length > LONGEST_LINE ? chunk.length : chunk.lastIndexOf(NEWLINE) + 1;
        if (end > 0) this.write(Buffer.concat([rest, chunk.subarray(0, end)]));
        rest = Buffer.concat([end > 0 ? Buffer.alloc(0) : rest, chunk.subarray(end)]);
      });
      const closed = new Promise<void>((resolve) => {
        stream.once("error", () => undefined);
        stream.once("close", () => {
          if (rest.length > 0) this.write(Buffer.concat([rest, Buffer.from("\n")]));
          resolve();
        });
      }).finally(() => this.open.delete(closed));
      this.open.add(closed);
    }
  }

  /** Waits for the last words of processes that have ended, not for long: one that they have started may hold the pipe. */
  async written(): Promise<void> {
    await Promise.race([Promise.all(this.open), sleep(1_000, undefined, { ref: false })]);
  }

  private write(lines: Buffer): void {
    try {
      if (this.log && this.log.size + lines.length > this.bounds.largest) this.putAside(this.log.fd);
      this.log ??= this.begin();
      appendFileSync(this.log.fd, lines);
      this.log.size += lines.length;
    } catch {
      // The disk is full. What comes next is tried again.
    }
  }

  private begin(): { fd: number; size: number } {
    const fd = openSync(this.file, "a");
    return { fd, size: fstatSync(fd).size };
  }

  private putAside(fd: number): void {
    this.log = undefined;
    closeSync(fd);
    for (let n = this.bounds.older - 1; n >= 0; n -= 1) {
      const from = n === 0 ? this.file : `${this.file}.${n}`;
      if (existsSync(from)) renameSync(from, `${this.file}.${n + 1}`);
    }
  }
}
