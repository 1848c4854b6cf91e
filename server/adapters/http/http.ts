/** Messages to any provider with an HTTP interface: the connection's settings say how its requests and answers look. */
import { OutboundError } from "../../kernel/outbound-http.ts";
import type {
  Adapter,
  AdapterDeps,
  Connection,
  OutboundMessage,
  SendOutcome,
  TestResult,
} from "../adapter.ts";
import { callProvider, notTried, sendThrough } from "../http-call.ts";
import { parseHttpCallback, receiptAddress } from "./http-callback.ts";
import {
  RequestProblem,
  buildRequest,
  checkRequest,
  exampleValues,
  maskedSecrets,
  misplacedSecrets,
  secretsOf,
} from "./http-request.ts";
import type { BuiltRequest, RequestValues } from "./http-request.ts";
import { judgeAnswer, outcomeOf, settingsWarnings } from "./judge-answer.ts";
import { uselessSettings } from "./useless-settings.ts";
import { httpCredentialsSchema, httpSettingsSchema } from "./schemas.ts";
import type { HttpCredentials, HttpSettings } from "./schemas.ts";

type HttpConnection = Connection<HttpCredentials, HttpSettings>;

async function send(
  connection: HttpConnection,
  message: OutboundMessage,
  deps: AdapterDeps,
): Promise<SendOutcome> {
  const { settings, credentials } = connection;
  let request: BuiltRequest;
  try {
    request = buildRequest(settings, {
      ...valuesOf(connection, message),
      secrets: secretsOf(credentials.secrets),
    });
  } catch (error) {
    if (!(error instanceof RequestProblem)) throw error;
    // It is this connection's request that cannot be made: another may say the same message in another way.
    return notTried("failover", "invalid_message", sentenceOf(error));
  }
  const own = settings.timeoutSeconds * 1_000;
  const timeoutMs = Math.min(own, deps.timeoutMs ?? own);
  return sendThrough({ ...deps, timeoutMs }, request, (answer) =>
    outcomeOf(connection, answer, isFinal(connection)),
  );
}

/** What a template sees of a message; missing members are nil. */
function valuesOf(connection: HttpConnection, message: OutboundMessage): RequestValues {
  const { whatsapp } = message;
  return {
    to: message.to,
    from: message.senderId ?? null,
    channel: message.channel,
    text: message.text ?? null,
    subject: message.subject ?? null,
    html: message.html ?? null,
    replyTo: message.replyTo ?? null,
    templateName: whatsapp?.template ?? null,
    templateLanguage: whatsapp?.language ?? null,
    templateVariables: (whatsapp?.variables as RequestValues["templateVariables"] | undefined) ?? null,
    notificationId: message.notificationId,
    attempt: message.attempt,
    idempotencyKey: message.idempotencyKey,
    expiresAt: message.expiresAt?.toISOString() ?? null,
    callbackUrl: receiptAddress(connection, message),
  };
}

function partName(part: RequestProblem["part"]): string {
  return part === "url" ? "address" : part;
}

function hasReceipts(settings: HttpSettings): boolean {
  return settings.receiptStatusPath !== undefined;
}

/** Whether nothing will be reported about a message: without the secret no receipt would be believed. */
function isFinal({ settings, credentials }: HttpConnection): boolean {
  return !hasReceipts(settings) || credentials.callbackSecret === undefined;
}

/**
 * Renders the request with an example and asks the host for its front page, without credentials: that checks name, network
 * and certificate, and sends no message. The facts hold the request as it would be sent, secrets by name only. A request that
 * cannot be made says nothing about the provider, so the host is asked all the same.
 */
async function test({ settings, credentials }: HttpConnection, deps: AdapterDeps): Promise<TestResult> {
  const shown = exampleRequest(settings, credentials);
  const request = { method: "HEAD" as const, url: `${originOf(settings.url)}/`, headers: {} };
  try {
    await callProvider(deps, request);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    // Name, network and certificate are right. Many interfaces have no front page, and say so by hanging up.
    const cutOff = error.bodyWritten && error.code !== "timeout";
    return { ok: false, problem: error.message, ...(cutOff ? { reachable: true } : {}) };
  }
  if (shown instanceof RequestProblem) return { ok: false, problem: sentenceOf(shown), reachable: true };
  const [refused] = refusedCredentials(credentials, settings);
  if (refused) return { ok: false, problem: refused.detail, reachable: true };
  const facts = [
    { label: "Request", value: `${shown.method} ${decodeMasks(shown.url)}` },
    ...Object.entries(shown.headers).map(([name, value]) => ({ label: name, value })),
    ...(shown.body === undefined ? [] : [{ label: "Body", value: decodeMasks(shown.body).slice(0, 2_000) }]),
  ];
  return { ok: true, facts, warnings: settingsWarnings(settings) };
}

function sentenceOf({ part, message }: RequestProblem): string {
  return `The ${partName(part)} of the request: ${message}`;
}

/** The request of an example, with names instead of secrets, or why none can be made with the secrets that there are. */
function exampleRequest(settings: HttpSettings, credentials: HttpCredentials): BuiltRequest | RequestProblem {
  try {
    buildRequest(settings, { ...exampleValues, secrets: secretsOf(credentials.secrets) });
    return buildRequest(settings, { ...exampleValues, secrets: maskedSecrets });
  } catch (error) {
    if (error instanceof RequestProblem) return error;
    throw error;
  }
}

/** Scheme, host and port, which hold no Liquid. */
function originOf(url: string): string {
  return /^[^/]*\/\/[^/?#]*/.exec(url)?.[0] ?? url;
}

function refusedCredentials(
  credentials: HttpCredentials,
  settings: HttpSettings,
): { credential: string; code: string; detail: string }[] {
  const refused: { credential: string; code: string; detail: string }[] = [];
  if (hasReceipts(settings) && credentials.callbackSecret === undefined) {
    refused.push({
      credential: "callbackSecret",
      code: "required",
      detail: "Receipts need the secret of callbacks: without it anybody could post them.",
    });
  }
  // The settings alone were checked with any secret that they name.
  const request = exampleRequest(settings, credentials);
  if (request instanceof RequestProblem && /\bsecrets\b/.test(settings.headers))
    refused.push({ credential: "secrets", code: "custom", detail: sentenceOf(request) });
  return refused;
}

/** Names of secrets as they are written, also where their brackets were encoded. */
function decodeMasks(text: string): string {
  return text.replace(/%5B(\w+)%5D/g, "[$1]");
}

export const httpAdapter: Adapter<HttpCredentials, HttpSettings> = {
  name: "http",
  label: "Any HTTP provider",
  channels: ["sms", "email", "whatsapp"],
  inbound: [],
  price: "answer",
  callbackCredentials: ["callbackSecret"],
  callbackSetup:
    "For receipts, have the provider post to {{ callbackUrl }} of the request; where it takes only one address for all messages, enter {url} followed by ?token= and the secret of callbacks.",
  regionOf: () => null,
  credentialsSchema: httpCredentialsSchema,
  credentialSettings: ["method", "url", "headers", "contentType", "body"],
  refusedSettings: (settings) => {
    const misplaced = misplacedSecrets(settings).map((one) => ({ ...one, code: "misplaced_secret" }));
    const request = misplaced.length > 0 ? misplaced : checkRequest(settings);
    return [...request, ...uselessSettings(settings)];
  },
  settingsSchema: httpSettingsSchema,
  refusedCredentials,
  hasReceipts: (_channel, settings) => settings === undefined || hasReceipts(settings),
  supportsIdempotency: false,
  recognisesRepeats: (settings) => settings.recognisesRepeats,
  send,
  test,
  judgeAnswer: (connection, answer) => judgeAnswer(connection, answer, isFinal(connection)),
  parseCallback: parseHttpCallback,
};
