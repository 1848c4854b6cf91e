import { readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Whether a process with this id exists and has not ended (a zombie has). */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return true; // no /proc on this system
  }
}

/** The command line of a process, or undefined where it is not available. */
export function commandLine(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return undefined;
  }
}

/** Processes of a program that work in a folder; none where that is not available (no /proc, or not ours to see). */
export function processesIn(folder: string, program: string): number[] {
  try {
    const place = realpathSync(folder);
    return readdirSync("/proc").flatMap((name) => {
      try {
        const at = path.join("/proc", name);
        return /^\d+$/.test(name) &&
          readlinkSync(path.join(at, "cwd")) === place &&
          path.basename(readlinkSync(path.join(at, "exe"))) === program
          ? [Number(name)]
          : [];
      } catch {
        return [];
      }
    });
  } catch {
    return [];
  }
}

/** Waits until a process is gone; false when it is still there after the given time. */
export async function waitForEnd(pid: number, milliseconds: number): Promise<boolean> {
  const deadline = Date.now() + milliseconds;
  while (isAlive(pid)) {
    if (Date.now() > deadline) return false;
    await sleep(50);
  }
  return true;
}
