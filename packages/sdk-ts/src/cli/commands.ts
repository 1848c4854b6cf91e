import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline/promises";
import { setTimeout as pause } from "node:timers/promises";
import type { ParseArgsConfig } from "node:util";
import { Tidings, TidingsError } from "../index.ts";
import type { MessageRequest, NotificationSummary, SendRequest } from "../index.ts";
import type { Output } from "./output.ts";
import { readSettings, removeSettings, settingsFile, writeSettings } from "./settings.ts";
import { pullTemplates, pushTemplates } from "./templates.ts";
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

async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}

export function clientOf(env: NodeJS.ProcessEnv, sandbox: boolean): Tidings {
  const { baseUrl, apiKey, tenantId } = readSettings(env, sandbox);
  return new Tidings({ baseUrl, apiKey, tenantId: tenantId ?? null });
}

/** Asks at a terminal; what is typed for a secret is not shown. */
async function ask(question: string, secret = false): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr, terminal: true });
  try {
    const answer = terminal.question(question);
    // From here on readline draws nothing of what is typed.
    if (secret) (terminal as unknown as { _writeToOutput: () => void })._writeToOutput = () => undefined;
    return (await answer).trim();
  } finally {
    terminal.close();
    if (secret) process.stderr.write("\n");
  }
}

async function login({ values, output, env }: Run): Promise<undefined> {
  const interactive = process.stdin.isTTY;
  const url = text(values.url) ?? env.TIDINGS_URL ?? (interactive ? await ask("Address: ") : undefined);
  if (!url) throw new UsageError("Say where with --url https://tidings.example.");
  if (!URL.canParse(url) || !/^https?:/.test(url)) throw new UsageError(`${url} is not an http address.`);
  const apiKey = interactive
    ? await ask("API key (not shown): ", true)
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
      output.result(group, `${group.group}  ${group.channels.join(", ")}  ${String(group.contacts ?? "?")} contacts`);
    return answer.notifications.some(({ status }) => status === "rejected") ? 1 : undefined;
  }
  const [template, to] = [text(values.template), texts(values.to)];
  if (!template || to.length === 0)
    throw new UsageError("Say what and whom to: --template order-status --to ada@example.com, or --file request.json.");
  const variables = variablesOf(texts(values.var));
  let refused = false;
  for (const address of to) {
    const channel = text(values.channel) ?? (address.includes("@") ? "email" : "sms");
    const optional = ["application", "region", "language"].flatMap((name) => {
      const value = text(values[name]);
      return value === undefined ? [] : [[name, value]];
    });
    const message = await tidings().messages.create({
      to: address,
      channel,
      template,
      variables,
      ...Object.fromEntries(optional),
    } as MessageRequest);
    refused ||= message.status === "rejected";
    output.result(
      message,
      `${message.notificationId}  ${message.channel}  ${message.to}  ${message.status}${message.reason ? `: ${message.reason.detail}` : ""}`,
    );
  }
  return refused ? 1 : undefined;
}

async function getMessage({ words, output, tidings }: Run): Promise<undefined> {
  const message = await tidings().messages.get(words[0] ?? "");
  const { notificationId, channel, to, status, application, environment, provider, reason, failure } = message;
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
  output.table(await tidings().messages.list(query as object).toArray({ limit }), columnsOfMessages);
  return undefined;
}

async function types({ values, output, tidings }: Run): Promise<undefined> {
  const environment = text(values.environment);
  const { text: content, templates, applications } = await writeTypes(
    tidings(),
    texts(values.application),
    environment,
  );
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

export { login, send, getMessage, listMessages, types, text, texts, pause, removeSettings, settingsFile };
export { pullTemplates, pushTemplates };
