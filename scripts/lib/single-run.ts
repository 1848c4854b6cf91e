import { rmSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { endProcess } from "./part.ts";
import { readJson, writePrivateJson } from "./private-file.ts";
import { commandLine, isAlive } from "./processes.ts";

const recordSchema = z.object({ supervisor: z.int(), parts: z.record(z.string(), z.int()) });

const fileIn = (dataDir: string) => path.join(dataDir, "running.json");

const isOurs = (pid: number, mark: string) => isAlive(pid) && (commandLine(pid)?.includes(mark) ?? true);

/**
 * Makes this process the only supervisor of a data folder. Throws when another one is running; ends what a killed
 * supervisor has left running.
 */
export async function becomeOnlySupervisor(dataDir: string): Promise<void> {
  const found = recordSchema.safeParse(readJson(fileIn(dataDir)));
  if (found.success) {
    const { supervisor, parts } = found.data;
    if (supervisor !== process.pid && isOurs(supervisor, "supervisor.ts")) {
      throw new Error(`Tidings is already running with ${dataDir} (process ${supervisor}).`);
    }
    const leftovers = Object.values(parts).filter(
      (pid) => isOurs(pid, "follow-parent") || isOurs(pid, "next-server"),
    );
    await Promise.all(leftovers.map((pid) => endProcess(pid, 5_000)));
  }
  writePrivateJson(fileIn(dataDir), { supervisor: process.pid, parts: {} });
}

/** Records the processes of this run, for cleaning up after a kill, and for tests. */
export function recordParts(dataDir: string, parts: Record<string, number>): void {
  writePrivateJson(fileIn(dataDir), { supervisor: process.pid, parts });
}

/** Records that nothing runs here any more. */
export function recordEnd(dataDir: string): void {
  rmSync(fileIn(dataDir), { force: true });
}
