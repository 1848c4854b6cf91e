import { spawn } from "node:child_process";
import { constants } from "node:os";
import { root } from "./paths.ts";

/** How a command ended, and what it said when its output was collected. */
export type RunResult = { code: number; output: string };

/**
 * Runs a command in the checkout. Its output goes to the terminal, or is collected when `quiet`.
 * `signal` ends it early, which rejects. A command that a signal ended has code 128 + signal, as in a shell.
 */
export function run(
  command: string,
  args: readonly string[],
  options: { env?: Record<string, string | undefined>; quiet?: boolean; signal?: AbortSignal } = {},
): Promise<RunResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...options.env },
      signal: options.signal,
      stdio: options.quiet ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"],
    });
    const chunks: Buffer[] = [];
    child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stderr?.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.once("error", reject);
    child.once("close", (code, signal) => {
      resolve({
        code: code ?? 128 + (signal ? constants.signals[signal] : 0),
        output: Buffer.concat(chunks).toString("utf8"),
      });
    });
  });
}
