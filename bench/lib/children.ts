import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { closeSync, openSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { root } from "../../scripts/lib/paths.ts";

/** A process that the bench started. */
export interface Child {
  name: string;
  process: ChildProcess;
  logFile: string;
  /** Peak memory of it and its children, bytes. */
  peakBytes(): number;
  /** User and system time that it has used, seconds. */
  cpuSeconds(): number;
  /** Asks it to end (SIGTERM), and kills it after a while. */
  stop(): Promise<void>;
}

const running = new Set<Child>();
const sampleEvery = 200;
const ticksPerSecond = 100;

/** Starts a program in the checkout; its output goes to `<folder>/<name>.log`. */
export function startChild(
  name: string,
  command: string,
  args: readonly string[],
  options: { folder: string; env?: Record<string, string>; pipeOutput?: boolean },
): Child {
  const logFile = path.join(options.folder, `${name}.log`);
  const log = openSync(logFile, "a");
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...options.env },
    stdio: ["ignore", options.pipeOutput ? "pipe" : log, log],
  });
  closeSync(log);
  let peak = 0;
  let cpu = 0;
  const sample = () => {
    if (child.pid === undefined) return;
    peak = Math.max(peak, residentBytes(child.pid));
    cpu = Math.max(cpu, cpuOf(child.pid));
  };
  const timer = setInterval(sample, sampleEvery);
  timer.unref();
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  const entry: Child = {
    name,
    process: child,
    logFile,
    peakBytes: () => peak,
    cpuSeconds: () => {
      sample();
      return cpu;
    },
    stop: async () => {
      sample();
      clearInterval(timer);
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGTERM");
        const force = setTimeout(() => child.kill("SIGKILL"), 10_000);
        await ended;
        clearTimeout(force);
      }
      running.delete(entry);
    },
  };
  running.add(entry);
  return entry;
}

/** Ends whatever is still running of what the bench started. */
export async function stopAllChildren(): Promise<void> {
  await Promise.all([...running].map((child) => child.stop()));
}

/** Waits until `probe` answers with something other than undefined; fails when the process ends or time is up. */
export async function waitFor<T>(
  child: Child | null,
  what: string,
  probe: () => Promise<T | undefined>,
  seconds = 60,
  everyMs = 100,
): Promise<T> {
  const deadline = Date.now() + seconds * 1_000;
  for (;;) {
    const found = await probe();
    if (found !== undefined) return found;
    const dead = child !== null && (child.process.exitCode !== null || child.process.signalCode !== null);
    if (dead || Date.now() > deadline) {
      const tail = child
        ? `\n${readFileSync(child.logFile, "utf8").trim().split("\n").slice(-15).join("\n")}`
        : "";
      throw new Error(`${dead ? "Ended" : "Too slow"}: ${what}${tail}`);
    }
    await sleep(everyMs);
  }
}

/** Resident memory of a process and its descendants, bytes; 0 without /proc. */
function residentBytes(pid: number): number {
  try {
    const own = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0;
    return Number(own) * 1_024 + childrenOf(pid).reduce((sum, child) => sum + residentBytes(child), 0);
  } catch {
    return 0;
  }
}

/** User and system time of a process and of its children that have ended, seconds. */
function cpuOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond;
  } catch {
    return 0;
  }
}

/** User and system time of a process and its descendants, seconds. */
export function cpuOfTree(pid: number): number {
  return cpuOf(pid) + childrenOf(pid).reduce((sum, child) => sum + cpuOfTree(child), 0);
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8")
        .trim()
        .split(" ")
        .filter(Boolean)
        .map(Number),
    );
  } catch {
    return [];
  }
}
