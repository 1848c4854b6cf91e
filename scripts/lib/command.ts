import { parseArgs } from "node:util";
import type { ParseArgsConfig } from "node:util";
import type { z } from "zod";
import { DomainError } from "../../server/kernel/errors.ts";
import type { OperatorDb } from "../../server/platform/operator-db.ts";
import { withOperatorDatabase } from "./operator-database.ts";

/** An error that the user can fix. */
export class Refused extends Error {}

/** The command line of an operator's command; what it does not know ends the process with the usage. */
export function readCommandLine<Options extends NonNullable<ParseArgsConfig["options"]>>(
  usage: string,
  options: Options,
) {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    return {
      values,
      positionals,
      /** The word at this place; `what` names it when it is missing. */
      argument: (at: number, what: string): string => {
        const value = positionals[at];
        if (value === undefined) throw new Refused(`The ${what} is missing.\n\n${usage}`);
        return value;
      },
    };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exit(1);
  }
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

export function unknownCommand(command: string | undefined, usage: string): Refused {
  return new Refused(command === undefined ? usage : `There is no command ${command}.\n\n${usage}`);
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
export async function runOperatorCommand(work: (operator: OperatorDb) => Promise<string>): Promise<void> {
  try {
    await withOperatorDatabase(async (database) => {
      console.log(await work(database));
    });
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
