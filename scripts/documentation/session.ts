/**
 * A reader with a terminal: commands of one page, one after the other, in a folder of its own that looks like the checkout.
 * What they export or assign, later ones have.
 */
import { spawn, type ChildProcess } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { constants, tmpdir } from "node:os";
import path from "node:path";
import { root } from "../lib/paths.ts";
import { serviceVariables, startVariables } from "./variables.ts";

/** How commands ended: their exit code, everything they printed, and the statuses that curl got, in order. */
export interface Ended {
  code: number;
  output: string;
  statuses: number[];
}

const commandMs = 120_000;
const readyMs = 120_000;
const stopMs = 40_000;

/** curl as it is, but it notes the status of each answer, and prints one that is an error to where it is seen. */
const curl = `#!/usr/bin/env bash
head=$(mktemp) body=$(mktemp)
PATH=\${PATH#*:} command curl --silent --show-error --dump-header "$head" "$@" | tee "$body"
code=\${PIPESTATUS[0]}
status=$(awk '/^HTTP\\// { code = $2 } END { print code }' "$head")
echo "\${status:-0}" >> "$DOCUMENTATION_STATUSES"
cp "$body" "$DOCUMENTATION_ANSWER"
if [ "\${status:-0}" -ge 400 ]; then { echo "curl got $status:"; cat "$body"; } >&2; fi
rm -f "$head" "$body"
exit "$code"
`;

/** `answer id`: what a reader copies from curl's last answer. */
const answer = `#!/usr/bin/env bash
node -p "JSON.parse(fs.readFileSync(process.env.DOCUMENTATION_ANSWER, 'utf8')).$1"
`;

const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The environment of this process but for what would configure the product, or belongs to the test that runs here. */
function withoutProductVariables(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const ours = new Set([...serviceVariables, ...startVariables]);
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value === undefined || ours.has(name) || /^(npm_|VITEST|PLAYWRIGHT|E2E_)/.test(name)
        ? []
        : [[name, value]],
    ),
  );
}

export class Session {
  readonly folder: string;
  /** What belongs to the session and not to its reader. */
  readonly #own: string;
  readonly #state: string;
  readonly #statuses: string;
  readonly #environment: NodeJS.ProcessEnv;

  /** @param dataDir what `.data` is in the session's folder */
  constructor(dataDir: string, environment: Record<string, string>) {
    this.folder = mkdtempSync(path.join(tmpdir(), "tidings-documentation-"));
    this.#own = mkdtempSync(path.join(tmpdir(), "tidings-documentation-session-"));
    this.#state = path.join(this.#own, "state");
    this.#statuses = path.join(this.#own, "statuses");
    const bin = path.join(this.#own, "bin");
    mkdirSync(bin);
    for (const [name, text] of Object.entries({ curl, answer })) {
      writeFileSync(path.join(bin, name), text);
      chmodSync(path.join(bin, name), 0o755);
    }
    for (const name of readdirSync(root)) {
      if (name !== ".data" && name !== ".git")
        symlinkSync(path.join(root, name), path.join(this.folder, name));
    }
    symlinkSync(dataDir, path.join(this.folder, ".data"));
    const node = path.join(root, "node_modules", ".bin");
    this.#environment = {
      ...withoutProductVariables(process.env),
      PATH: [bin, node, process.env.PATH ?? ""].join(path.delimiter),
      NO_COLOR: "1",
      NODE_NO_WARNINGS: "1",
      npm_config_update_notifier: "false",
      DOCUMENTATION_STATUSES: this.#statuses,
      DOCUMENTATION_ANSWER: path.join(this.#own, "answer"),
      DATA_DIR: dataDir,
      ...environment,
    };
    writeFileSync(this.#state, "");
  }

  close(): void {
    for (const folder of [this.folder, this.#own]) rmSync(folder, { recursive: true, force: true });
  }

  write(name: string, text: string): void {
    writeFileSync(path.join(this.folder, name), `${text}\n`);
  }

  set(name: string, value: string): void {
    writeFileSync(this.#state, `export ${name}=${quote(value)}\n`, { flag: "a" });
  }

  /** The value that a variable has now. */
  async get(name: string): Promise<string> {
    const { output } = await this.run(`printf %s "$${name}"`);
    return output;
  }

  /** Runs commands as bash does when it gives up at the first one that fails. */
  async run(commands: string): Promise<Ended> {
    writeFileSync(this.#statuses, "");
    const script = [
      "set -euo pipefail",
      `. ${quote(this.#state)}`,
      `trap 'export -p > ${this.#state}' EXIT`,
      "set -a",
      commands,
    ].join("\n");
    const { child, output } = this.#start(script);
    const code = await ended(child, commandMs);
    const statuses = readFileSync(this.#statuses, "utf8").split("\n").filter(Boolean).map(Number);
    return { code, output: output(), statuses };
  }

  /**
   * Starts a command that does not end by itself and waits until it has printed `text`. Throws with its output when it ends
   * before, or takes too long. `stop` is Ctrl-C, and throws when it does not end then.
   */
  async start(
    command: string,
    text: string,
    environment: Record<string, string> = {},
  ): Promise<{ stop: () => Promise<void> }> {
    const set = Object.entries(environment).map(([name, value]) => `export ${name}=${quote(value)}`);
    const { child, output } = this.#start([`. ${quote(this.#state)}`, ...set, command].join("\n"));
    const gone = ended(child, undefined);
    const late = AbortSignal.timeout(readyMs);
    const said = new Promise<"said" | "late">((resolve) => {
      const look = () => {
        if (output().includes(text)) resolve("said");
      };
      child.stdout?.on("data", look);
      child.stderr?.on("data", look);
      late.addEventListener("abort", () => resolve("late"));
    });
    const outcome = await Promise.race([said, gone]);
    const stop = async () => {
      if (child.exitCode === null && child.signalCode === null) signal(child, "SIGINT");
      const code = await Promise.race([
        gone,
        new Promise<"late">((resolve) => setTimeout(resolve, stopMs, "late").unref()),
      ]);
      if (code !== "late") {
        if (code !== 0 && code !== 128 + constants.signals.SIGINT) {
          throw new Error(`${command} ended with ${String(code)} after Ctrl-C:\n${output()}`);
        }
        return;
      }
      signal(child, "SIGKILL");
      throw new Error(`${command} did not stop:\n${output()}`);
    };
    if (outcome === "said") return { stop };
    if (outcome === "late") await stop();
    throw new Error(`${command} did not print "${text}":\n${output()}`);
  }

  #start(script: string) {
    const child: ChildProcess = spawn("bash", ["-c", script], {
      cwd: this.folder,
      env: this.#environment,
      stdio: ["ignore", "pipe", "pipe"],
      // A group of its own, so that a signal reaches everything in it, as from a terminal.
      detached: true,
    });
    const chunks: Buffer[] = [];
    child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stderr?.on("data", (chunk: Buffer) => chunks.push(chunk));
    return { child, output: () => Buffer.concat(chunks).toString("utf8") };
  }
}

function signal(child: ChildProcess, name: "SIGINT" | "SIGKILL"): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, name);
  } catch {
    // It has ended by itself.
  }
}

/** The exit code, 128 + signal as in a shell. After `limitMs` its whole group is killed. */
function ended(child: ChildProcess, limitMs: number | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    const timer = limitMs === undefined ? undefined : setTimeout(() => signal(child, "SIGKILL"), limitMs);
    child.once("error", reject);
    child.once("exit", (code, name) => {
      clearTimeout(timer);
      // What it left in the background would keep its output open.
      const finish = () => resolve(code ?? 128 + (name ? constants.signals[name] : 0));
      const patience = setTimeout(finish, 200);
      child.once("close", () => {
        clearTimeout(patience);
        finish();
      });
    });
  });
}
