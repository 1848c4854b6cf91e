import { parseArgs } from "node:util";
import type { ParseArgsConfig } from "node:util";
import type { z } from "zod";
import { DomainError } from "../../server/kernel/errors.ts";
import type { OperatorDb } from "../../server/platform/operator-db.ts";
import { withOperatorDatabase } from "./operator-database.ts";

/** An error that the user can fix. */
export class Refused extends Error {}

/** The words that a command takes: the names of those that it needs, and whether more may follow. */
export type Words = { needs: readonly string[]; more?: "one" | "many"; help?: string };

/**
 * The command line of an operator's command. `--help` and `-h` print the usage, or of a command that has its own help that, and end
 * the process with 0. What it does not know, a word that is missing and one too many end it with 1 and what was expected, before
 * anything is opened.
 * @param words what words it takes; by command where the first word is one
 */
export function readCommandLine<Options extends NonNullable<ParseArgsConfig["options"]>>(
  usage: string,
  options: Options,
  words: Words | Record<string, Words>,
  { exitCode = 1 }: { exitCode?: number } = {},
) {
  const fail = (problem: string, help = usage): never => {
    console.error(`${problem}\n\n${help}`);
    process.exit(exitCode);
  };
  const parse = () =>
    parseArgs({
      allowPositionals: true,
      options: { ...options, help: { type: "boolean", short: "h", default: false } },
    });
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse();
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
  const { values, positionals } = parsed;
  const [command] = positionals;
  const isOne = (of: typeof words): of is Words => Array.isArray(of.needs);
  const byName = isOne(words) ? undefined : words;
  const taken = isOne(words) ? words : command !== undefined && byName ? byName[command] : undefined;
  if ((values as { help?: boolean }).help) {
    console.log(taken?.help ?? usage);
    process.exit(0);
  }
  if (taken === undefined) {
    const names = Object.keys(byName ?? {}).join(", ");
    return fail(
      command === undefined
        ? `Say what to do: ${names}.`
        : `There is no command ${command}. There are ${names}.`,
    );
  }
  const given = byName ? positionals.slice(1) : positionals;
  const missing = taken.needs[given.length];
  if (missing !== undefined) return fail(`The ${missing} is missing.`, taken.help);
  const most = taken.needs.length + { none: 0, one: 1, many: Number.POSITIVE_INFINITY }[taken.more ?? "none"];
  if (given.length > most) return fail(`${given[most]} is one word too many.`, taken.help);
  return {
    values,
    positionals,
    /** The word at this place; one of those that are needed. */
    argument: (at: number): string => positionals[at] ?? "",
  };
}

/**
 * Input parsed by its schema; errors do not repeat the input, which may be secret.
 * @param nameOf how a member is called on the command line, where its name there is another one
 */
export function parseInput<T>(
  schema: z.ZodType<T>,
  given: Record<string, unknown>,
  nameOf: (member: string) => string = (member) => member,
): T {
  const known = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const result = schema.safeParse(known, { reportInput: false });
  if (result.success) return result.data;
  const problems = result.error.issues.map(
    (issue) => `\n  ${nameOf(issue.path.join("."))}: ${issue.message}`,
  );
  throw new Refused(`That does not fit:${problems.join("")}`);
}

/** Work on an organisation that the command line names; that it does not exist is said with its name. */
export async function onOrganisation<Result>(slug: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError && error.code === "not_found")
      throw new Refused(`There is no organisation ${slug}.`);
    throw error;
  }
}

/** Prints what `work` answers. What was refused goes to standard error, and the process ends with 1. */
export async function printAnswer(work: () => Promise<string>): Promise<void> {
  try {
    console.log(await work());
  } catch (error) {
    if (!(error instanceof Refused) && !(error instanceof DomainError)) throw error;
    const more =
      error instanceof DomainError
        ? error.errors.map((entry) => `\n  ${entry.pointer}: ${entry.detail}`)
        : [];
    console.error(error.message + more.join(""));
    process.exitCode = 1;
  }
}

/** The answer of a command that works on the operator's databases. */
export function runOperatorCommand(work: (operator: OperatorDb) => Promise<string>): Promise<void> {
  return printAnswer(async () => {
    let answer = "";
    await withOperatorDatabase(async (database) => {
      answer = await work(database);
    });
    return answer;
  });
}
