/**
 * `npm run operator -- …`: who may sign in to the operator console, in the database named by DATABASE_URL (its owner's address),
 * or in the quickstart of this checkout. Passwords are neither taken nor printed: an operator gets a link to choose one.
 */
import {
  createOperator,
  linkForOperator,
  listOperators,
  removeOperator,
  resetSecondFactor,
} from "../server/console/manage-operators.ts";
import type { OperatorLink } from "../server/console/manage-operators.ts";
import { newOperatorSchema } from "../server/console/schemas.ts";
import type { OperatorDb } from "../server/platform/operator-db.ts";
import { parseInput, readCommandLine, runOperatorCommand } from "./lib/command.ts";

const usage = `Usage:
  npm run operator -- create <e-mail address> --name <name>
  npm run operator -- list
  npm run operator -- link <e-mail address>
  npm run operator -- remove <e-mail address>
  npm run operator -- reset-second-factor <e-mail address>

create  makes an operator and prints a link with which they choose a password; it counts once and for a day.
list    prints who may sign in, and when they last did.
link    prints a new link, for whoever has lost the password; older ones end.
remove  ends their sessions at once. What they did stays in the log.
reset-second-factor  for whoever has lost the app and the recovery codes; ends their sessions.

DATABASE_URL and PUBLIC_URL are those of the installation; without them the quickstart of this checkout is used.
docs/console.md has more.`;

const needs = ["operator's e-mail address"];
const { values, positionals, argument } = readCommandLine(
  usage,
  { name: { type: "string" } },
  {
    create: { needs },
    list: { needs: [] },
    link: { needs },
    remove: { needs },
    "reset-second-factor": { needs },
  },
);

const told = ({ address, expiresAt }: OperatorLink) =>
  `${address}\nIt counts once, until ${expiresAt.toISOString()}.`;

/** Carries out what the command line says; returns what to say about it. */
async function run({ owner }: OperatorDb): Promise<string> {
  const [command] = positionals;
  const email = () => argument(1);
  switch (command) {
    case "create":
      return told(
        await createOperator(
          owner,
          parseInput(newOperatorSchema, { email: email(), name: values.name }, (member) =>
            member === "name" ? "--name" : member,
          ),
        ),
      );
    case "list": {
      const all = await listOperators(owner);
      if (all.length === 0) return "There is no operator yet.";
      return all
        .map(({ email: address, name, hasPassword, lastSeenAt }) => {
          const state = hasPassword
            ? `last seen ${lastSeenAt?.toISOString() ?? "never"}`
            : "has not chosen a password yet";
          return `${address}  ${name}  (${state})`;
        })
        .join("\n");
    }
    case "link":
      return told(await linkForOperator(owner, email()));
    case "remove":
      await removeOperator(owner, email());
      return `${email()} is no operator any more.`;
    default:
      return (await resetSecondFactor(owner, email()))
        ? `${email()} has no second factor any more and is signed out.`
        : `${email()} had no second factor. They are signed out.`;
  }
}

await runOperatorCommand(run);
