/**
 * `npm run channels -- …`: the operator's own channels, in the database named by DATABASE_URL (its owner's address), or in
 * the quickstart of this checkout. Credentials are read from a file or from standard input, never from the command line,
 * where other people of the machine could read them.
 */
import { readFileSync } from "node:fs";
import { env } from "../server/kernel/env.ts";
import { createOutboundClient } from "../server/kernel/outbound-http.ts";
import {
  addChannel,
  listChannels,
  removeChannel,
  testChannel,
  updateChannel,
} from "../server/platform/change-channels.ts";
import { checkMasterKey } from "../server/platform/check-master-key.ts";
import { assignChannel } from "../server/platform/assign-channel.ts";
import {
  channelAddSchema,
  channelAssignSchema,
  channelSendersSchema,
  channelUnassignSchema,
  channelUpdateSchema,
} from "../server/platform/schemas.ts";
import { replaceChannelSenders } from "../server/platform/replace-channel-senders.ts";
import type { OperatorDb } from "../server/platform/operator-db.ts";
import { unassignChannel } from "../server/platform/unassign-channel.ts";
import { parseInput, readCommandLine, Refused, runOperatorCommand } from "./lib/command.ts";

const usage = `Usage:
  npm run channels -- list
  npm run channels -- add <channel> --provider smpp --region EU --credentials <file> [--set …] [--prices <file>]
  npm run channels -- update <channel> [--rename <name>] [--credentials <file>] [--no-overlap] [--set …] [--prices <file>]
                             [--region EU]
  npm run channels -- test|enable|disable|remove <channel>
  npm run channels -- give <channel> <organisation> [--name <connection>] [--sender <sender> …] [--set …]
                           [--prices <file>] [--rate <messages a second>]
  npm run channels -- lend <organisation> <connection> --sender <sender> …
  npm run channels -- take <organisation> <connection> [--force]

A channel is an account of yours at a provider. Who is given it gets a connection that sends over it, from the senders that
it is lent: \`give\` names the first ones, \`lend\` replaces them, \`list\` shows them.

  --credentials <file>   JSON with the account's secrets; "-" reads standard input
  --no-overlap           what a new file replaces verifies the provider's callbacks no more, instead of for a day
  --set name=text        a setting; name:=value for a number or other JSON. With update they replace all settings
  --prices <file>        JSON list of prices: docs/costs.md, "Price lists"
  --sender <sender>      who messages come from: +4930123456, 70700 or Name; sms:… or whatsapp:… where the channel has
                         several, and sms/DE:… for one region
  --channel <channel>    with add: sms, email or whatsapp; may be repeated. All that the provider has without it

add, give, lend and take have more help: npm run channels -- give --help

DATABASE_URL and TIDINGS_SECRET_KEY are those of the installation; without them the quickstart of this checkout is used.
OUTBOUND_ALLOW as for the service. docs/own-channels.md has more.`;

const addHelp = `Usage:
  npm run channels -- add <channel> --provider <provider> --region <region> --credentials <file> [--set …] [--prices <file>]
                          [--channel <channel of messages> …]

Adds an account of yours at a provider. It needs a name of its own, the provider, the region where that processes data, a file
with the account's secrets, and the settings that the provider wants: docs/own-channels.md, "The files".

  echo '{"systemId":"…","password":"…"}' > account.json && chmod 600 account.json
  npm run channels -- add "Tidings SMS" --provider smpp --region EU --credentials account.json --set host=smsc.example.com

Nobody can use it until it is given to them: npm run channels -- give --help`;

const giveHelp = `Usage:
  npm run channels -- give <channel> <organisation> [--sender <sender> …] [--name <connection>] [--set …] [--prices <file>]
                           [--rate <messages a second>]

Gives an organisation a connection that sends over a channel of yours. It needs two things that are there already: the channel's
name, as \`npm run channels -- list\` prints it, and the organisation's short name, as \`npm run tenant -- list\` does.

  --sender <sender>   a sender that is theirs alone; may be repeated. Without any they send from the account's default. Where the
                      channel carries several kinds of messages: sms:+4930123456 or whatsapp:+4930123456
  --set name=text     settings of their own, where the account needs some: for Meta phoneNumberId=… of their number
  --name <name>       what the connection is called; the channel's name without it
  --prices <file>     prices of their own; those of the channel without it. docs/own-channels.md, "The files"
  --rate <number>     the most messages a second

  npm run channels -- give "Tidings SMS" acme --sender +4930123456 --rate 20

Afterwards a routing rule of the organisation must name the connection. docs/own-channels.md has more.`;

const lendHelp = `Usage:
  npm run channels -- lend <organisation> <connection> [--sender <sender> …]

Replaces the senders of a connection that an organisation was given: those that are not named again are theirs no more.

  npm run channels -- lend acme "Tidings SMS" --sender +4930123456 --sender 70700`;

const takeHelp = `Usage:
  npm run channels -- take <organisation> <connection> [--force]

Takes a connection back that an organisation was given. Refused while their routing rules name it, unless with --force.

  npm run channels -- take acme "Tidings SMS"`;

const connectionOf = ["organisation's short name", "connection's name"];
const channel = ["channel's name"];
const commands = {
  list: { needs: [] },
  add: { needs: channel, help: addHelp },
  update: { needs: channel },
  test: { needs: channel },
  enable: { needs: channel },
  disable: { needs: channel },
  remove: { needs: channel },
  give: { needs: ["channel's name", "organisation's short name"], help: giveHelp },
  lend: { needs: connectionOf, help: lendHelp },
  take: { needs: connectionOf, help: takeHelp },
};

const options = {
  provider: { type: "string" },
  region: { type: "string" },
  channel: { type: "string", multiple: true },
  credentials: { type: "string" },
  "no-overlap": { type: "boolean" },
  set: { type: "string", multiple: true },
  prices: { type: "string" },
  name: { type: "string" },
  rename: { type: "string" },
  sender: { type: "string", multiple: true },
  rate: { type: "string" },
  force: { type: "boolean", default: false },
} as const;
const { values, positionals, argument } = readCommandLine(usage, options, commands);

/** How members of the input are called here. */
const optionOf: Record<string, string> = {
  priceList: "--prices",
  processingRegion: "--region",
  senders: "--sender",
  ratePerSecond: "--rate",
  settings: "--set",
  channels: "--channel",
  credentials: "--credentials",
  provider: "--provider",
};
const optionName = (member: string) => {
  const [first = "", ...rest] = member.split(".");
  return [optionOf[first] ?? first, ...rest].join(".");
};

/** That a channel is not there, with those that are. */
function missingChannel(name: string, all: Awaited<ReturnType<typeof listChannels>>): Refused {
  const names = all.map((entry) => `"${entry.name}"`).join(", ");
  return new Refused(
    `There is no channel "${name}". ${names === "" ? "Add one first: npm run channels -- add --help" : `There are ${names}.`}`,
  );
}

function jsonFile(file: string | undefined): unknown {
  if (file === undefined) return undefined;
  try {
    return JSON.parse(readFileSync(file === "-" ? 0 : file, "utf8"));
  } catch (error) {
    // A parser's message quotes the text, which may be a secret.
    const reason = error instanceof SyntaxError ? "is not JSON" : "cannot be read";
    throw new Refused(`${file === "-" ? "Standard input" : file} ${reason}.`);
  }
}

function settings(): Record<string, unknown> | undefined {
  const given = values.set?.map((text): [string, unknown] => {
    const [, name = "", kind, value = ""] = /^([A-Za-z0-9]+)(:?=)(.*)$/s.exec(text) ?? [];
    if (name === "") throw new Refused(`--set wants name=text or name:=value, not "${text}".`);
    try {
      return [name, kind === ":=" ? (JSON.parse(value) as unknown) : value];
    } catch {
      throw new Refused(`The value of ${name} is not JSON; for a text write ${name}=${value}`);
    }
  });
  return given && Object.fromEntries(given);
}

function senders(channels: readonly string[]): { channel: string; region?: string; sender: string }[] {
  return (values.sender ?? []).map((text) => {
    const [, channel, region, sender] = /^(sms|email|whatsapp)(?:\/([A-Z]{2}))?:(.+)$/.exec(text) ?? [];
    const only = channels.length === 1 ? channels[0] : undefined;
    const on = channel ?? only;
    if (on === undefined) throw new Refused(`Say for which channel ${text} is: ${channels.join(":…, ")}:…`);
    return { channel: on, ...(region === undefined ? {} : { region }), sender: sender ?? text };
  });
}

/** Runs the command; returns what to print. */
async function run(operator: OperatorDb): Promise<string> {
  const common = {
    settings: settings(),
    priceList: jsonFile(values.prices),
    processingRegion: values.region,
  };
  const [command] = positionals;
  switch (command) {
    case "list":
      return listOf(await listChannels(operator));
    case "add": {
      await checkMasterKey(operator.owner);
      const input = parseInput(
        channelAddSchema,
        {
          ...common,
          name: argument(1),
          provider: values.provider,
          channels: values.channel,
          credentials: jsonFile(values.credentials),
        },
        optionName,
      );
      const { id } = await addChannel(operator, input);
      return `${input.name} is there. Where its provider wants an address for callbacks, it is\n  ${env().publicUrl}/api/callbacks/${id}`;
    }
    case "update": {
      await checkMasterKey(operator.owner);
      const changes = parseInput(
        channelUpdateSchema,
        {
          ...common,
          name: values.rename,
          credentials: jsonFile(values.credentials),
          ...(values["no-overlap"] && { callbackOverlap: false }),
        },
        optionName,
      );
      const { oldSecretsUntil } = await updateChannel(operator, argument(1), changes);
      const until = oldSecretsUntil?.toISOString().slice(0, 16).replace("T", " ");
      const old =
        until &&
        `\nCallbacks signed with the old secret are accepted until ${until} UTC; --no-overlap ends that.`;
      return `Changed; in force within two seconds.${old ?? ""}`;
    }
    case "enable":
    case "disable":
      await updateChannel(operator, argument(1), { enabled: command === "enable" });
      return `${argument(1)} is ${command}d.`;
    case "remove":
      await removeChannel(operator, argument(1));
      return `${argument(1)} is gone.`;
    case "test": {
      const http = createOutboundClient({ allow: env().outboundAllow, userAgent: "Tidings/1.0" });
      const result = await testChannel(operator, argument(1), http).finally(() => http.close());
      if (!result.ok) throw new Refused(result.problem);
      return ["It works.", ...(result.facts ?? []).map((fact) => `  ${fact.label}: ${fact.value}`)].join(
        "\n",
      );
    }
    case "give": {
      const name = argument(1);
      const all = await listChannels(operator);
      const found = all.find((entry) => entry.name === name);
      if (!found) throw missingChannel(name, all);
      const given = {
        channel: name,
        tenant: argument(2),
        name: values.name,
        senders: senders(found.channels),
        settings: common.settings,
        priceList: common.priceList,
        ratePerSecond: values.rate === undefined ? undefined : Number(values.rate),
      };
      const input = parseInput(channelAssignSchema, given, optionName);
      const { connectionId } = await assignChannel(operator, input);
      return `${input.tenant} has it, as connection ${connectionId}. Routing rules can name it now.`;
    }
    case "lend": {
      const tenant = argument(1);
      const connection = argument(2);
      const given = (await listChannels(operator))
        .flatMap((channel) => channel.given)
        .find((entry) => entry.tenant === tenant && entry.connection === connection);
      if (!given) {
        throw new Refused(
          `${tenant} has no connection "${connection}" of yours. See: npm run channels -- list`,
        );
      }
      await replaceChannelSenders(
        operator,
        parseInput(
          channelSendersSchema,
          { tenant, connection, senders: senders(given.channels) },
          optionName,
        ),
      );
      return `${tenant} sends from ${values.sender?.join(", ") ?? "no sender of its own"} over ${connection}; in force within two seconds.`;
    }
    default:
      await unassignChannel(
        operator,
        parseInput(channelUnassignSchema, {
          tenant: argument(1),
          connection: argument(2),
          force: values.force,
        }),
      );
      return "Taken back.";
  }
}

function senderText({
  sender,
  region,
  unit,
}: {
  sender: string;
  region: string | null;
  unit: string | null;
}): string {
  const about = [...(region === null ? [] : [region]), ...(unit === null ? [] : [`unit ${unit}`])];
  return about.length === 0 ? sender : `${sender} (${about.join(", ")})`;
}

function listOf(channels: Awaited<ReturnType<typeof listChannels>>): string {
  if (channels.length === 0) return "There are no channels yet.";
  return channels
    .flatMap((channel) => [
      `${channel.name}  (${channel.provider}, ${channel.channels.join(" ")}, ${channel.processingRegion}${channel.enabled ? "" : ", off"})  ${channel.id}`,
      ...channel.given.map(
        (given) =>
          `  ${given.tenant}: ${given.connection}  ${given.senders.map(senderText).join(" ")}${given.enabled ? "" : "  (switched off there)"}`,
      ),
    ])
    .join("\n");
}

// With another installation's database nobody could open what this checkout's key seals: checkMasterKey refuses it.
await runOperatorCommand(run);
