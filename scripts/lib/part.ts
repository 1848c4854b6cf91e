import { spawn, type ChildProcess } from "node:child_process";
import { setPriority } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { LogFile } from "./log-file.ts";
import { root } from "./paths.ts";
import { waitForEnd } from "./processes.ts";

/** One process of Tidings, as the supervisor sees it. */
export type PartDefinition = {
  name: string;
  /** Starts it once; resolves as soon as there is a process. */
  start: () => Promise<ChildProcess>;
  /** Ends one run of it: asks first, kills it after `patienceMs`. */
  stop: (pid: number) => Promise<void>;
  /** Whether it makes progress, e.g. answers; a process that exists and does nothing is ended and restarted. */
  liveness?: LivenessCheck;
};

/** How the supervisor checks that a process makes progress. */
export type LivenessCheck = {
  /** False, or a rejection, when it does not answer within `timeoutMs`. */
  check: (timeoutMs: number) => Promise<boolean>;
  timeoutMs: number;
  /** Interval of the checks, ms. */
  everyMs: number;
  /** Silence after which it counts as hanging, ms. */
  patienceMs: number;
  /** The same until its first answer. */
  startPatienceMs: number;
};

const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 10_000;
/** A run of this length counts as healthy: the next restart is immediate again. */
const HEALTHY_MS = 20_000;

/** Keeps one process running until it is stopped. */
export class Part {
  readonly name: string;
  private readonly definition: PartDefinition;
  private readonly log: (line: string) => void;
  private readonly onStart: () => void;
  private child: ChildProcess | undefined;
  private stopping = false;
  private delay = FIRST_DELAY_MS;
  private timer: NodeJS.Timeout | undefined;
  private livenessTimer: NodeJS.Timeout | undefined;

  constructor(definition: PartDefinition, log: (line: string) => void, onStart: () => void) {
    this.name = definition.name;
    this.definition = definition;
    this.log = log;
    this.onStart = onStart;
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** Starts the process, and restarts it whenever it ends. Rejects when the very first start fails. */
  async run(): Promise<void> {
    this.watch(await this.definition.start());
  }

  private watch(child: ChildProcess): void {
    const started = Date.now();
    this.child = child;
    this.onStart();
    let over = false;
    const ended = (reason: string) => {
      if (over) return;
      over = true;
      clearTimeout(this.livenessTimer);
      this.child = undefined;
      if (this.stopping) return;
      if (Date.now() - started > HEALTHY_MS) this.delay = FIRST_DELAY_MS;
      this.log(`${this.name} ended (${reason}); starting it again`);
      this.restart();
    };
    child.once("error", (error) => ended(error.message));
    child.once("exit", (code, signal) => ended(signal ?? `exit code ${code}`));
    // It may have ended between its start and now.
    if (child.exitCode !== null || child.signalCode !== null) {
      ended(child.signalCode ?? `exit code ${child.exitCode}`);
    } else if (this.definition.liveness) {
      this.checkLiveness(child, this.definition.liveness, { silentMs: 0, heard: false });
    }
  }

  /**
   * Checks its liveness repeatedly, and kills it when it has been silent for too long. A check counts for no more silence than it can
   * have observed: when the whole machine slept or the clock was set, a single failure says nothing of the process.
   */
  private checkLiveness(
    child: ChildProcess,
    liveness: LivenessCheck,
    last: { silentMs: number; heard: boolean },
  ): void {
    const began = performance.now();
    const ask = async () => {
      const heard = await liveness.check(liveness.timeoutMs).catch(() => false);
      if (this.child !== child || this.stopping) return;
      const observed = Math.min(performance.now() - began, liveness.everyMs + liveness.timeoutMs);
      const now = heard ? { silentMs: 0, heard } : { ...last, silentMs: last.silentMs + observed };
      if (now.silentMs > (now.heard ? liveness.patienceMs : liveness.startPatienceMs)) {
        this.log(`${this.name} has not answered for ${Math.round(now.silentMs / 1_000)} s; ending it`);
        child.kill("SIGKILL");
        return;
      }
      this.checkLiveness(child, liveness, now);
    };
    this.livenessTimer = setTimeout(() => void ask(), liveness.everyMs);
    this.livenessTimer.unref();
  }

  private restart(): void {
    this.timer = setTimeout(() => {
      this.definition.start().then(
        (child) => {
          // Stopped while it was starting.
          if (this.stopping && child.pid !== undefined) void this.definition.stop(child.pid);
          this.watch(child);
        },
        (error: unknown) => {
          this.log(
            `${this.name} could not be started: ${error instanceof Error ? error.message : String(error)}`,
          );
          if (!this.stopping) this.restart();
        },
      );
    }, this.delay);
    this.delay = Math.min(this.delay * 2, LONGEST_DELAY_MS);
  }

  /** Ends the process for good. */
  async stop(): Promise<void> {
    this.stopping = true;
    clearTimeout(this.timer);
    clearTimeout(this.livenessTimer);
    if (this.pid !== undefined) await this.definition.stop(this.pid);
  }
}

/** Asks a process to end, and kills it when it has not after a while. */
export async function endProcess(pid: number, patienceMs: number): Promise<void> {
  try {
    process.kill(pid, "SIGTERM");
    if (await waitForEnd(pid, patienceMs)) return;
    process.kill(pid, "SIGKILL");
  } catch {
    return; // gone already
  }
  await waitForEnd(pid, 2_000);
}

/** A Node program of this project. Its output goes to a log file unchanged. */
export function nodePart(options: {
  name: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  logFile: string;
  patienceMs: number;
  liveness?: LivenessCheck;
  /** Scheduling priority as of nice(1): 0 as usual, more is later. */
  nice?: number;
}): PartDefinition {
  const follow = fileURLToPath(new URL("follow-parent.mjs", import.meta.url));
  const log = new LogFile(options.logFile);
  return {
    name: options.name,
    start: () => {
      const child = spawn(process.execPath, ["--import", follow, ...options.args], {
        cwd: root,
        env: { ...options.env, TIDINGS_SUPERVISOR: String(process.pid) },
        stdio: ["ignore", "pipe", "pipe", "ipc"],
        // A process group of its own: Ctrl-C reaches the supervisor, which decides the order.
        detached: true,
      });
      log.take(child);
      child.channel?.unref();
      if (options.nice && child.pid !== undefined) lowerPriority(child.pid, options.nice);
      return Promise.resolve(child);
    },
    stop: async (pid) => {
      await endProcess(pid, options.patienceMs);
      await log.written();
    },
    ...(options.liveness ? { liveness: options.liveness } : {}),
  };
}

/** Lowers a process's scheduling priority, where the system allows it. */
export function lowerPriority(pid: number, nice: number): void {
  try {
    setPriority(pid, nice);
  } catch {
    // It has ended already, or this system knows no priorities.
  }
}

/** The log file of a process. */
export const logFileOf = (dataDir: string, name: string) => path.join(dataDir, "logs", `${name}.log`);
