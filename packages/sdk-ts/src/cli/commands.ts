import { createHmac } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { ParseArgsConfig } from "node:util";
import { InvalidRequestError, Tidings, TidingsError } from "../index.ts";
import type { ApiKey, FollowQuery, MessageRequest, NotificationSummary, SendRequest } from "../index.ts";
import { ask } from "./ask.ts";
import { completionFor } from "./completion.ts";
import { forward } from "./forward.ts";
import { carryMcp } from "./mcp-stdio.ts";
import type { Output } from "./output.ts";
import { readSettings, removeSettings, writeSettings } from "./settings.ts";
import { defaultWait, pullTemplates, pushTemplates, waitOf } from "./templates.ts";
import { writeTypes } from "./types.ts";
import { UsageError } from "./usage-error.ts";

export interface Run {
  values: Record<string, string | boolean | string[] | undefined>;
  words: readonly string[];
  output: Output;
  env: NodeJS.ProcessEnv;
  /** Ends with Ctrl-C. */
  signal: AbortSignal;
  tidings: () => Tidings;
}

export interface Command {
  summary: string;
  /** After the name, as in `<id>` or `[folder]`. */
  words?: { text: string; needs: number; most: number };
  options?: NonNullable<ParseArgsConfig["options"]>;
  /** What each option means, with its value: `"--to <address>": "…"`. */
  explains?: Record<string, string>;
  more?: string;
  /** Answers the exit code; 0 without. */
  run: (run: Run) => Promise<number | undefined>;
}

const text = (value: Run["values"][string]): string | undefined =>
  typeof value === "string" ? value : undefined;
const texts = (value: Run["values"][string]): string[] => (Array.isArray(value) ? value : []);

const isHttp = (address: string): boolean => URL.canParse(address) && /^https?:/i.test(address);

async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}

export function clientOf(env: NodeJS.ProcessEnv, sandbox: boolean): Tidings {
  const { baseUrl, apiKey, tenantId } = readSettings(env, sandbox);
  return new Tidings({ baseUrl, apiKey, tenantId: tenantId ?? null });
}

async function login({ values, output, env }: Run): Promise<undefined> {
  const interactive = process.stdin.isTTY;
  const url = text(values.url) ?? env.TIDINGS_URL ?? (interactive ? await ask("Address: ") : undefined);
  if (!url) throw new UsageError("Say where with --url https://tidings.example.");
  if (!isHttp(url)) throw new UsageError(`${url} is not an http address.`);
  const apiKey = interactive
    ? await ask("API key (not shown): ", { secret: true })
    : (await readAll(process.stdin)).trim();
  if (!/^tdg_\S+$/.test(apiKey))
    throw new UsageError("Give the API key (tdg_…) on standard input: tidings login --url … < key.txt");
  const tenantId = text(values.tenant) ?? env.TIDINGS_TENANT_ID;
  const tidings = new Tidings({ baseUrl: url, apiKey, tenantId: tenantId ?? null, maxRetries: 0 });
  try {
    await tidings.messages.list({ limit: 1 });
  } catch (error) {
    // A key that may not read messages is a key.
    if (!(error instanceof TidingsError) || error.code !== "permission_denied") throw error;
  }
  const file = writeSettings(env, {
    baseUrl: url.replace(/\/+$/, ""),
    apiKey,
    ...(tenantId ? { tenantId } : {}),
  });
  output.result({ url, file }, `Signed in to ${url}. The key is in ${file}, which only you can read.`);
  return undefined;
}

/** `name=value` pairs. */
function variablesOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      if (at < 1) throw new UsageError(`--var ${pair} is not of the form name=value.`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

async function send({ values, output, tidings }: Run): Promise<number | undefined> {
  const file = text(values.file);
  if (file !== undefined) {
    const source = file === "-" ? await readAll(process.stdin) : readFileSync(file, "utf8");
    let request: SendRequest;
    try {
      request = JSON.parse(source) as SendRequest;
    } catch {
      throw new UsageError(`${file === "-" ? "Standard input" : file} is not JSON.`);
    }
    const answer = await tidings().send(request);
    for (const { notificationId, channel, recipient, status, reason } of answer.notifications)
      output.result(
        { notificationId, channel, recipient, status, reason: reason ?? null },
        `${notificationId}  ${channel}  ${recipient}  ${status}${reason ? `: ${reason.detail}` : ""}`,
      );
    for (const group of answer.groups ?? [])
      output.result(
        group,
        `${group.group}  ${group.channels.join(", ")}  ${String(group.contacts ?? "?")} contacts`,
      );
    return answer.notifications.some(({ status }) => status === "rejected") ? 1 : undefined;
  }
  const [template, to] = [text(values.template), texts(values.to)];
  if (!template || to.length === 0)
    throw new UsageError(
      "Say what and whom to: --template order-status --to ada@example.com, or --file request.json.",
    );
  const variables = variablesOf(texts(values.var));
  const optional = ["application", "region", "language"].flatMap((name) => {
    const value = text(values[name]);
    return value === undefined ? [] : [[name, value]];
  });
  let refused = false;
  for (const address of to) {
    const channel = text(values.channel) ?? (address.includes("@") ? "email" : "sms");
    const request = {
      to: address,
      channel,
      template,
      variables,
      ...Object.fromEntries(optional),
    } as MessageRequest;
    try {
      const message = await tidings().messages.create(request);
      refused ||= message.status === "rejected";
      output.result(
        message,
        `${message.notificationId}  ${message.channel}  ${message.to}  ${message.status}${message.reason ? `: ${message.reason.detail}` : ""}`,
      );
    } catch (error) {
      // One that is refused keeps no other from being sent.
      if (to.length === 1 || !(error instanceof InvalidRequestError)) throw error;
      refused = true;
      const { code, detail, errors } = error;
      output.result(
        { notificationId: null, channel, to: address, status: "rejected", reason: { code, detail, errors } },
        `${channel}  ${address}  rejected: ${error.message}`,
      );
    }
  }
  return refused ? 1 : undefined;
}

async function getMessage({ words, output, tidings }: Run): Promise<undefined> {
  const message = await tidings().messages.get(words[0] ?? "");
  const { notificationId, channel, to, status, application, environment, provider, reason, failure } =
    message;
  output.result(
    message,
    [
      `${notificationId}  ${channel} to ${to}: ${status}`,
      `${application} in ${environment}, ${message.notificationType}/${message.notificationSubtype}${provider ? `, over ${provider}` : ""}`,
      ...(reason ? [`${reason.code}: ${reason.detail}`] : []),
      ...(failure ? [`${failure.code}: ${failure.detail}`] : []),
      ...message.events.map((event) => `  ${event.at}  ${event.type}`),
    ].join("\n"),
  );
  return undefined;
}

const columnsOfMessages = {
  created: (row: NotificationSummary) => row.createdAt,
  id: (row: NotificationSummary) => row.notificationId,
  channel: (row: NotificationSummary) => row.channel,
  to: (row: NotificationSummary) => row.to,
  status: (row: NotificationSummary) => row.status,
};

async function listMessages({ values, output, tidings }: Run): Promise<undefined> {
  const limit = Number(text(values.limit) ?? 20);
  if (!Number.isSafeInteger(limit) || limit < 1) throw new UsageError("--limit is a number of messages.");
  const status = text(values.status);
  const query = { limit: Math.min(limit, 100), ...(status ? { status } : {}) };
  output.table(
    await tidings()
      .messages.list(query as object)
      .toArray({ limit }),
    columnsOfMessages,
  );
  return undefined;
}

async function types({ values, output, tidings }: Run): Promise<undefined> {
  const environment = text(values.environment);
  const {
    text: content,
    templates,
    applications,
  } = await writeTypes(tidings(), texts(values.application), environment);
  const file = path.resolve(text(values.output) ?? "tidings-templates.d.ts");
  if (text(values.output) === "-") {
    process.stdout.write(content);
    return undefined;
  }
  writeFileSync(file, content);
  output.result(
    { file, templates, applications },
    `${String(templates)} templates of ${applications.join(", ")} in ${file}`,
  );
  return undefined;
}

const hasMessage = (data: object): boolean => "notificationId" in data || "messageId" in data;

async function tailMessages({ values, output, tidings, signal }: Run): Promise<undefined> {
  const query = feedQuery(values, output);
  output.note("Waiting for events. Ctrl-C ends it.");
  for await (const event of tidings().events.follow(query, { signal })) {
    const data = event.data as Record<string, unknown>;
    if (!hasMessage(data)) continue;
    const part = (name: string) => (typeof data[name] === "string" ? `  ${data[name]}` : "");
    output.result(
      event,
      `${event.timestamp}  ${event.event.padEnd(24)}${part("notificationId")}${part("channel")}${part("to")}${part("from")}`,
    );
  }
  return undefined;
}

/** From `--since`, else from now on. */
function feedQuery(values: Run["values"], output: Output): FollowQuery {
  const [since, application, events] = [text(values.since), text(values.application), texts(values.event)];
  if (since !== undefined && Number.isNaN(Date.parse(since)))
    throw new UsageError(`--since ${since} is not a time of ISO 8601, like 2027-01-31T08:00:00Z.`);
  return {
    since: (since === undefined ? new Date() : new Date(since)).toISOString(),
    ...(application ? { application } : {}),
    ...(events.length > 0 ? { event: events as FollowQuery["event"] } : {}),
    onRetry: ({ message }: TidingsError) => output.note(`Trying again: ${message}`),
  } as FollowQuery;
}

async function listenForWebhooks({ values, output, tidings, signal, env }: Run): Promise<undefined> {
  const target = text(values.forward);
  if (!target || !isHttp(target))
    throw new UsageError("Say where to with --forward http://localhost:4000/hooks.");
  const given = text(values.secret) ?? (env.TIDINGS_WEBHOOK_SECRET || undefined);
  if (given !== undefined && !/^(?:whsec_)?[A-Za-z0-9+/]{16,}={0,2}$/.test(given))
    throw new UsageError("The signing secret is not one: it begins with whsec_.");
  // The same in every run with the same key, so that a program can be configured once.
  const secret =
    given ??
    `whsec_${createHmac("sha256", readSettings(env, values.sandbox === true).apiKey)
      .update("webhooks listen")
      .digest("base64")}`;
  output.result(
    { forward: target, secret: given === undefined ? secret : null },
    `Forwarding events to ${target}\n${given === undefined ? `Signing secret: ${secret}` : "Signed with your signing secret"}`,
  );
  output.note("Waiting for events. Ctrl-C ends it.");
  for await (const event of tidings().events.follow(feedQuery(values, output), { signal })) {
    const outcome = await forward(target, secret, event, signal);
    output.result(
      { id: event.id, event: event.event, ...outcome },
      `${event.timestamp}  ${event.event.padEnd(24)}  ${outcome.status === null ? `not reached: ${outcome.problem ?? ""}` : `HTTP ${String(outcome.status)}`}`,
    );
  }
  return undefined;
}

async function keysList({ values, output, tidings }: Run): Promise<undefined> {
  const query = values.ended === true ? { includeEnded: "true" as const } : {};
  output.table(await tidings().apiKeys.list(query).toArray(), {
    id: (row: ApiKey) => row.id,
    name: (row: ApiKey) => row.name,
    key: (row: ApiKey) => row.hint,
    environment: (row: ApiKey) => row.environment,
    role: (row: ApiKey) => row.role.name,
    state: (row: ApiKey) => row.state,
    "last used": (row: ApiKey) => row.lastUsedAt,
  });
  return undefined;
}

async function keysCreate({ values, words, output, tidings }: Run): Promise<undefined> {
  const optional = ["application", "environment", "purpose", "role"].flatMap((name) => {
    const value = text(values[name]);
    return value === undefined ? [] : [[name, value]];
  });
  const expires = text(values.expires);
  if (expires !== undefined && Number.isNaN(Date.parse(expires)))
    throw new UsageError(`--expires ${expires} is not a time of ISO 8601, like 2027-01-31T08:00:00Z.`);
  const key = await tidings().apiKeys.create({
    name: words[0] ?? "",
    ...(Object.fromEntries(optional) as object),
    ...(expires === undefined ? {} : { expiresAt: new Date(expires).toISOString() }),
  });
  output.result(key, key.key);
  output.note("Copy it now; it can't be shown again.");
  return undefined;
}

async function keysRevoke({ words, output, tidings }: Run): Promise<undefined> {
  const id = words[0] ?? "";
  await tidings().apiKeys.revoke(id);
  output.result({ id, revoked: true }, `Revoked ${id}.`);
  return undefined;
}

const connectionOptions = { sandbox: { type: "boolean" } } as const;
const feedOptions = {
  since: { type: "string" },
  application: { type: "string" },
  event: { type: "string", multiple: true },
} as const;
const feedExplains = {
  "--since <time>": "also what happened since then, at most 30 days ago",
  "--application <name>": "only events of this application",
  "--event <event>": "only this kind of event; may be repeated",
};

/** Every command by its name. Help, completion and `docs/cli.md` follow from it. */
export const commands: Record<string, Command> = {
  login: {
    summary: "Keep an address and an API key for the other commands",
    options: { url: { type: "string" }, tenant: { type: "string" } },
    explains: {
      "--url <address>": "address of the installation",
      "--tenant <id>": "your organisation's id, sent along with every request",
    },
    more: "The API key is asked for, or read from standard input: tidings login --url https://tidings.example < key.txt",
    run: login,
  },
  logout: {
    summary: "Forget what login has kept",
    run: async ({ output, env }) => {
      const there = removeSettings(env);
      output.result(
        { removed: there },
        there ? "The address and the key are forgotten." : "There was nothing to forget.",
      );
      return undefined;
    },
  },
  send: {
    summary: "Send a message by the name of its template, or a whole request",
    options: {
      template: { type: "string" },
      to: { type: "string", multiple: true },
      var: { type: "string", multiple: true },
      channel: { type: "string" },
      application: { type: "string" },
      region: { type: "string" },
      language: { type: "string" },
      file: { type: "string" },
      ...connectionOptions,
    },
    explains: {
      "--template <name>": "name of the template",
      "--to <address>": "an e-mail address or a phone number; may be repeated",
      "--var <name=value>": "a variable of the template; may be repeated",
      "--channel <channel>": "sms, email or whatsapp; without it email for addresses with @, else sms",
      "--application <name>": "needed when the key serves more than one application",
      "--region <code>": "country, like DE",
      "--language <code>": "language, like en",
      "--file <file>": "a request of POST /api/app/notifications/send as JSON instead; - is standard input",
    },
    run: send,
  },
  "messages list": {
    summary: "List messages, newest first",
    options: { limit: { type: "string" }, status: { type: "string" }, ...connectionOptions },
    explains: { "--limit <n>": "at most so many, default 20", "--status <status>": "only with this status" },
    run: listMessages,
  },
  "messages get": {
    summary: "Show a message with its events",
    words: { text: "<id>", needs: 1, most: 1 },
    options: connectionOptions,
    run: getMessage,
  },
  "messages tail": {
    summary: "Follow what happens to messages",
    options: { ...feedOptions, ...connectionOptions },
    explains: feedExplains,
    run: tailMessages,
  },
  "templates pull": {
    summary: "Write the templates of an application as files",
    words: { text: "[folder]", needs: 0, most: 1 },
    options: { application: { type: "string" }, environment: { type: "string" }, ...connectionOptions },
    explains: {
      "--application <name>": "needed when the key serves more than one application",
      "--environment <name>": "those that are live there; without it the latest versions",
    },
    more: 'The files go to <folder>/<application>; the folder is "templates" unless named.',
    run: async ({ values, words, output, tidings }) => {
      const [application, environment] = [text(values.application), text(values.environment)];
      await pullTemplates(tidings(), output, path.resolve(words[0] ?? "templates"), {
        ...(application ? { application } : {}),
        ...(environment ? { environment } : {}),
      });
      return undefined;
    },
  },
  "templates push": {
    summary: "Import the files of an application's templates",
    words: { text: "[folder]", needs: 0, most: 1 },
    options: {
      application: { type: "string" },
      note: { type: "string" },
      "dry-run": { type: "boolean" },
      wait: { type: "string" },
      ...connectionOptions,
    },
    explains: {
      "--application <name>": "which folder, when there are several",
      "--note <text>": "what changes",
      "--dry-run": "show the plan and change nothing",
      "--wait <seconds>": `how long to wait while nothing is saved, default ${String(defaultWait)}; then the exit code is 4, and the import continues by itself`,
    },
    run: async ({ values, words, output, tidings }) => {
      const [application, note] = [text(values.application), text(values.note)];
      return pushTemplates(tidings(), output, path.resolve(words[0] ?? "templates"), {
        ...(application ? { application } : {}),
        ...(note ? { note } : {}),
        dryRun: values["dry-run"] === true,
        waitMs: waitOf(text(values.wait)),
      });
    },
  },
  "webhooks listen": {
    summary: "Forward events to a program on this machine, as signed webhooks",
    options: {
      forward: { type: "string" },
      secret: { type: "string" },
      ...feedOptions,
      ...connectionOptions,
    },
    explains: {
      "--forward <address>": "where to post them, like http://localhost:4000/hooks",
      "--secret <whsec_…>":
        "sign with this secret; without it with TIDINGS_WEBHOOK_SECRET, else with one that belongs to the API key and is printed",
      ...feedExplains,
    },
    run: listenForWebhooks,
  },
  mcp: {
    summary: "Serve the Model Context Protocol on standard input and output",
    options: connectionOptions,
    more: "For agents whose client starts a program; their tools are those of the installation's /mcp.",
    run: async ({ values, env }) => {
      const { baseUrl, apiKey } = readSettings(env, values.sandbox === true);
      await carryMcp({
        baseUrl,
        apiKey,
        input: process.stdin as AsyncIterable<Uint8Array>,
        write: (line) => process.stdout.write(`${line}\n`),
      });
      return undefined;
    },
  },
  types: {
    summary: "Write the types of live templates, for tsc",
    options: {
      application: { type: "string", multiple: true },
      environment: { type: "string" },
      output: { type: "string", short: "o" },
      ...connectionOptions,
    },
    explains: {
      "--application <name>": "only of this application; may be repeated",
      "--environment <name>": "templates that are live there; without it the latest versions",
      "--output, -o <file>": "default tidings-templates.d.ts; - is standard output",
    },
    run: types,
  },
  "keys list": {
    summary: "List API keys",
    options: { ended: { type: "boolean" }, ...connectionOptions },
    explains: { "--ended": "also revoked and expired ones" },
    run: keysList,
  },
  "keys create": {
    summary: "Create an API key",
    words: { text: "<name>", needs: 1, most: 1 },
    options: {
      role: { type: "string" },
      environment: { type: "string" },
      application: { type: "string" },
      purpose: { type: "string" },
      expires: { type: "string" },
      ...connectionOptions,
    },
    explains: {
      "--role <role>": "key of a role, default sender",
      "--environment <name>": "default: that of the key you use",
      "--application <name>": "only for this application",
      "--purpose <text>": "what it is for",
      "--expires <time>": "when it ends, like 2027-01-31T08:00:00Z",
    },
    run: keysCreate,
  },
  "keys revoke": {
    summary: "Revoke an API key",
    words: { text: "<id>", needs: 1, most: 1 },
    options: connectionOptions,
    run: keysRevoke,
  },
  completion: {
    summary: "Print a completion script for bash, zsh or fish",
    words: { text: "<shell>", needs: 1, most: 1 },
    more: "Try it with: source <(tidings completion bash). For fish: tidings completion fish | source",
    run: async ({ words }) => {
      process.stdout.write(completionFor(words[0] ?? "", commands));
      return undefined;
    },
  },
};
