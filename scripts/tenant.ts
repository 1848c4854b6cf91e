/**
 * `npm run tenant -- …`: the organisations of an installation, in the database named by DATABASE_URL (its owner's address), or
 * in the quickstart of this checkout. Passwords are neither taken nor printed: who is to have one gets a link to choose it.
 */
import { announcedSetUp } from "../server/onboarding/announce-set-up.ts";
import { createOrganisation } from "../server/onboarding/create-organisation.ts";
import { exampleRequest, firstApplication, firstTeam } from "../server/onboarding/first-application.ts";
import {
  forgetSetUpToken,
  linkForMember,
  listOrganisations,
  passwordAddress,
} from "../server/onboarding/operator-commands.ts";
import { organisationSchema } from "../server/onboarding/schemas.ts";
import { env } from "../server/kernel/env.ts";
import { checkMasterKey } from "../server/platform/check-master-key.ts";
import type { OperatorDb } from "../server/platform/operator-db.ts";
import { parseInput, readCommandLine, Refused, runOperatorCommand } from "./lib/command.ts";

const usage = `Usage:
  npm run tenant -- create --name <organisation> --slug <short name> --owner <e-mail address> --owner-name <name>
                           [--region EU] [--country DE] [--language en]
  npm run tenant -- list
  npm run tenant -- link <short name> <e-mail address> [--without-second-factor]
  npm run tenant -- set-up [--new]

create  makes an organisation and prints a link with which its owner chooses a password, and an API key for its sandbox.
        Both are shown once; the link counts once and for three days.
link    prints a new link with which a member chooses a password; older ones end. With --without-second-factor theirs is
        taken away as well, and their passkeys, for who has lost them.
list    prints short name, region and name of each.
set-up  prints the address of the set-up page, as long as there is no organisation; with --new another one, and the
        former ends.

  --slug      first part of the address of its pages: small letters, digits and hyphens
  --region    where its data is processed: EU, CH, UK, US, …
  --country   whose telephone numbers may be written without a prefix
  --language  of the first texts: en or de

DATABASE_URL, TIDINGS_SECRET_KEY and PUBLIC_URL are those of the installation; without them the quickstart of this checkout is
used. docs/first-sign-in.md has more.`;

const options = {
  name: { type: "string" },
  slug: { type: "string" },
  owner: { type: "string" },
  "owner-name": { type: "string" },
  region: { type: "string" },
  country: { type: "string" },
  language: { type: "string" },
  new: { type: "boolean", default: false },
  "without-second-factor": { type: "boolean", default: false },
} as const;
const { values, positionals, argument } = readCommandLine(usage, options, {
  create: { needs: [] },
  list: { needs: [] },
  link: { needs: ["organisation's short name", "member's e-mail address"] },
  "set-up": { needs: [] },
});

/** How the members of the input are called here. */
const optionOf: Record<string, string> = {
  email: "--owner",
  ownerName: "--owner-name",
  dataRegion: "--region",
};

async function create({ owner, db }: OperatorDb): Promise<string> {
  const input = parseInput(
    organisationSchema,
    {
      name: values.name,
      slug: values.slug,
      email: values.owner,
      ownerName: values["owner-name"],
      dataRegion: values.region,
      country: values.country,
      language: values.language,
    },
    (member) => optionOf[member] ?? `--${member}`,
  );
  await checkMasterKey(owner);
  const { email, ownerName, ...organisation } = input;
  const made = await createOrganisation(db, {
    ...organisation,
    owner: { email, name: ownerName, password: null },
    team: firstTeam,
    application: firstApplication,
  });
  const { path, body } = exampleRequest({ application: firstApplication.name, ...organisation });
  return `${organisation.name} is there: ${env().publicUrl}/${made.slug}

  Owner      ${email}
  Password   chosen at ${passwordAddress(made.passwordLink?.token ?? "")}
             once, until ${made.passwordLink?.expiresAt.toISOString() ?? ""}
  API key    ${made.sandboxKey.key}
             sends in the sandbox; not shown again

  A first message:

  curl -X POST ${env().publicUrl}${path} \\
    -H "Authorization: Bearer ${made.sandboxKey.key}" -H "Content-Type: application/json" \\
    -d '${JSON.stringify(body)}'`;
}

/** Carries out what the command line says; returns what to say about it. */
async function run(operator: OperatorDb): Promise<string> {
  const [command] = positionals;
  switch (command) {
    case "create":
      return create(operator);
    case "list": {
      const all = await listOrganisations(operator.owner);
      const width = Math.max(0, ...all.map(({ slug }) => slug.length));
      return all.length === 0
        ? "There is no organisation yet."
        : all.map(({ slug, name, dataRegion }) => `${slug.padEnd(width)}  ${dataRegion}  ${name}`).join("\n");
    }
    case "link": {
      const { address, expiresAt } = await linkForMember(operator.owner, operator.db, {
        organisation: argument(1),
        email: argument(2),
        withoutSecondFactor: values["without-second-factor"],
      });
      return `${address}\nIt counts once, until ${expiresAt.toISOString()}.`;
    }
    default: {
      if (values.new) await forgetSetUpToken(operator.owner);
      const address = await announcedSetUp(operator.owner);
      if (address === undefined)
        throw new Refused("There is an organisation already: see npm run tenant -- list");
      if (address === null) {
        throw new Refused(
          "The token was made with another TIDINGS_SECRET_KEY. Make a new one with npm run tenant -- set-up --new",
        );
      }
      return address;
    }
  }
}

await runOperatorCommand(run);
