#!/usr/bin/env node
import { parseArgs } from "node:util";
import { ConnectionError, TidingsError } from "../index.ts";
import { clientOf, commands } from "./commands.ts";
import type { Command } from "./commands.ts";
import { outputTo, printable } from "./output.ts";
import { UsageError } from "./usage-error.ts";

/*
 * Exit codes: 0 done; 1 the service refused it, or a part of it; 2 the command is not right; 3 the service cannot be reached;
 * 4 it continues, but is not waited for any longer; 130 ended by Ctrl-C.
 */

const names = Object.keys(commands);
const common = { json: { type: "boolean" }, help: { type: "boolean", short: "h" } } as const;

function overview(): string {
  const width = Math.max(...names.map((name) => name.length));
  return `Usage:
  tidings <command> [options]

${names.map((name) => `  ${name.padEnd(width)}  ${commands[name]?.summary ?? ""}`).join("\n")}

tidings <command> --help explains one. The address and the API key are those of TIDINGS_URL and TIDINGS_API_KEY, of
"tidings login", or of the quickstart of a checkout (its production key; --sandbox: the one of its sandbox).`;
}

function helpFor(name: string, { summary, words, explains = {}, options = {}, more }: Command): string {
  const lines: [string, string][] = [
    ...Object.entries(explains),
    ...("sandbox" in options
      ? [["--sandbox", "with the quickstart: its sandbox key"] as [string, string]]
      : []),
    ["--json", "JSON lines, as when the output is no terminal"],
  ];
  const width = Math.max(...lines.map(([option]) => option.length));
  return [
    `Usage:\n  tidings ${[name, words?.text, "[options]"].filter(Boolean).join(" ")}`,
    summary,
    lines.map(([option, meaning]) => `  ${option.padEnd(width)}  ${meaning}`).join("\n"),
    ...(more ? [more] : []),
  ].join("\n\n");
}

/** The longest name that the words begin with. */
function find(words: readonly string[]): string | undefined {
  return [words.slice(0, 2).join(" "), words[0] ?? ""].find((name) => Object.hasOwn(commands, name));
}

async function main(args: readonly string[]): Promise<number> {
  const interrupted = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => {
      interrupted.abort(new UsageError("", 130));
      // What does not listen to the signal is ended all the same.
      setTimeout(() => process.exit(130), 300).unref();
    });
  }
  // A reader that has seen enough, like head.
  process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => process.exit(code === "EPIPE" ? 0 : 1));
  const wantsJson = args.includes("--json") || !process.stdout.isTTY;
  try {
    const plain = args.filter((arg) => !arg.startsWith("-"));
    const name = find(plain);
    const command = name === undefined ? undefined : commands[name];
    const wantsHelp = args.includes("--help") || args.includes("-h");
    if (name === undefined || command === undefined) {
      const inGroup = names.filter((each) => each.startsWith(`${plain[0] ?? ""} `));
      if (wantsHelp || plain.length === 0) {
        (wantsHelp ? process.stdout : process.stderr).write(`${overview()}\n`);
        return wantsHelp ? 0 : 2;
      }
      throw new UsageError(
        inGroup.length > 0
          ? `Say which: ${inGroup.map((each) => `tidings ${each}`).join(", ")}.`
          : `There is no command ${plain[0] ?? ""}. tidings --help lists them.`,
      );
    }
    if (wantsHelp) {
      process.stdout.write(`${helpFor(name, command)}\n`);
      return 0;
    }
    const { values, positionals } = parse(args, command);
    const words = positionals.slice(name.split(" ").length);
    const { text = "", needs = 0, most = 0 } = command.words ?? {};
    if (words.length < needs) throw new UsageError(`${text} is missing: tidings ${name} ${text}`);
    if (words.length > most) throw new UsageError(`${words[most] ?? ""} is one word too many.`);
    const output = outputTo(
      (line) => process.stdout.write(`${line}\n`),
      (line) => process.stderr.write(`${line}\n`),
      wantsJson,
    );
    const code = await command.run({
      values,
      words,
      output,
      env: process.env,
      signal: interrupted.signal,
      tidings: () => clientOf(process.env, values.sandbox === true),
    });
    return code ?? 0;
  } catch (error) {
    return failed(error, wantsJson);
  }
}

function parse(args: readonly string[], command: Command) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { ...command.options, ...common },
    });
    return { values: values as Record<string, string | boolean | string[] | undefined>, positionals };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** What to change, and the exit code. */
function failed(error: unknown, json: boolean): number {
  if (error instanceof UsageError) {
    if (error.message) tell({ code: "usage", detail: error.message }, error.message);
    return error.exitCode;
  }
  if (error instanceof TidingsError) {
    const { status, code, detail, errors, requestId } = error;
    tell({ status, code, detail, errors, requestId }, `${error.message}${advice(error)}`);
    if (code === "invalid_configuration") return 2;
    return error instanceof ConnectionError ? 3 : 1;
  }
  const message = error instanceof Error ? error.message : String(error);
  tell({ code: "failed", detail: message }, message);
  return 1;

  function tell(data: object, text: string): void {
    process.stderr.write(
      `${json ? JSON.stringify({ error: data }) : text.split("\n").map(printable).join("\n")}\n`,
    );
  }
}

function advice({ code }: TidingsError): string {
  if (code === "unauthenticated") return '\nRun "tidings login" with a valid key, or set TIDINGS_API_KEY.';
  if (code === "permission_denied") return "\nUse a key with a role that may do this.";
  if (code === "connection_failed") return "\nIs it running, and is the address right?";
  return "";
}

process.exitCode = await main(process.argv.slice(2));
