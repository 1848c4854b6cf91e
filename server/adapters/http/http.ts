/** Messages to any provider with an HTTP interface: the connection's settings say how its requests and answers look. */
import { OutboundError } from "../../kernel/outbound-http.ts";
import type { OutboundResponse } from "../../kernel/outbound-http.ts";
import type {
  Adapter,
  AdapterDeps,
  Connection,
  OutboundMessage,
  SendOutcome,
  TestResult,
} from "../adapter.ts";
import { callProvider, notTried, refusedOutcome, sendThrough, unreadableAnswer } from "../http-call.ts";
import { providerText } from "../provider-text.ts";
import { priceOf, textOf } from "../untrusted.ts";
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
import { holdsStatus } from "./http-settings.ts";
import { readJsonPath, readJsonText } from "./json-path.ts";
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
    return notTried(
      "failover",
      "invalid_message",
      `The ${partName(error.part)} of the request: ${error.message}`,
    );
  }
  const own = settings.timeoutSeconds * 1_000;
  const timeoutMs = Math.min(own, deps.timeoutMs ?? own);
  return sendThrough({ ...deps, timeoutMs }, request, (answer) => outcomeOf(connection, answer));
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

function outcomeOf({ settings, credentials }: HttpConnection, answer: OutboundResponse): SendOutcome {
  const said = parseJson(answer.body);
  if (holdsStatus(settings.successStatuses, answer.status)) {
    if (settings.successPath !== undefined) {
      if (said === undefined) return unreadableAnswer;
      const found = readJsonPath(said, settings.successPath);
      const wanted = settings.successValue;
      const fits =
        wanted === undefined
          ? found !== undefined && found !== null
          : readJsonText(said, settings.successPath) === wanted;
      if (!fits) return notTaken(settings, credentials, said, answer.status);
    }
    const id = settings.idPath === undefined ? null : textOf(readJsonText(said, settings.idPath), 255);
    if (id === undefined) return unreadableAnswer;
    const price =
      settings.pricePath === undefined
        ? undefined
        : priceOf(readJsonText(said, settings.pricePath), settings.priceCurrency);
    return {
      kind: "sent",
      providerMessageId: id,
      // Without the secret no receipt would be believed.
      final: !hasReceipts(settings) || credentials.callbackSecret === undefined,
      ...(price ? { price } : {}),
    };
  }
  const providerMessage = wordsOf(settings, credentials, said);
  const known =
    holdsStatus(settings.retryStatuses, answer.status) && answer.status !== 429
      ? {
          retry: "later" as const,
          code: "provider_unavailable" as const,
          detail: `The provider asks to come again, with status ${String(answer.status)}`,
        }
      : undefined;
  return refusedOutcome(answer, providerMessage === undefined ? {} : { providerMessage }, known);
}

/** A successful status whose answer says that the message was not accepted. */
function notTaken(
  settings: HttpSettings,
  credentials: HttpCredentials,
  said: unknown,
  status: number,
): SendOutcome {
  const providerMessage = wordsOf(settings, credentials, said);
  return {
    kind: "not_sent",
    retry: "failover",
    code: "provider_rejected",
    detail: "The provider's answer says that it did not take the message",
    providerCode: String(status),
    ...(providerMessage === undefined ? {} : { providerMessage }),
  };
}

/** The provider's words about an error, without any secret that it may have repeated. */
function wordsOf(settings: HttpSettings, credentials: HttpCredentials, said: unknown): string | undefined {
  const words = settings.errorPath === undefined ? undefined : readJsonText(said, settings.errorPath);
  if (words === undefined || words === "") return undefined;
  const secrets = [...Object.values(secretsOf(credentials.secrets)), credentials.callbackSecret ?? ""];
  return providerText(
    secrets.reduce((text, secret) => (secret === "" ? text : text.replaceAll(secret, "[secret]")), words),
  );
}

function hasReceipts(settings: HttpSettings): boolean {
  return settings.receiptStatusPath !== undefined;
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8")) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Renders the request with an example and asks the host for its front page, without credentials: that checks name, network
 * and certificate, and sends no message. The facts hold the request as it would be sent, secrets by name only.
 */
async function test({ settings, credentials }: HttpConnection, deps: AdapterDeps): Promise<TestResult> {
  const secrets = secretsOf(credentials.secrets);
  let shown: BuiltRequest;
  try {
    buildRequest(settings, { ...exampleValues, secrets });
    shown = buildRequest(settings, { ...exampleValues, secrets: maskedSecrets });
  } catch (error) {
    if (!(error instanceof RequestProblem)) throw error;
    return { ok: false, problem: `The ${partName(error.part)} of the request: ${error.message}` };
  }
  const facts = [
    { label: "Request", value: `${shown.method} ${decodeMasks(shown.url)}` },
    ...Object.entries(shown.headers).map(([name, value]) => ({ label: name, value })),
    ...(shown.body === undefined ? [] : [{ label: "Body", value: decodeMasks(shown.body).slice(0, 2_000) }]),
  ];
  const request = { method: "HEAD" as const, url: `${new URL(shown.url).origin}/`, headers: {} };
  try {
    await callProvider(deps, request);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    // Name, network and certificate are right. Many interfaces have no front page, and say so by hanging up.
    const cutOff = error.bodyWritten && error.code !== "timeout";
    return { ok: false, problem: error.message, ...(cutOff ? { reachable: true } : {}) };
  }
  const [missing] = missingFor(credentials, settings);
  return missing ? { ok: false, problem: missing.detail, reachable: true } : { ok: true, facts };
}

/** Without the secret no receipt would be believed. */
function missingFor(
  credentials: HttpCredentials,
  settings: HttpSettings,
): { credential: string; detail: string }[] {
  return hasReceipts(settings) && credentials.callbackSecret === undefined
    ? [
        {
          credential: "callbackSecret",
          detail: "Receipts need the secret of callbacks: without it anybody could post them.",
        },
      ]
    : [];
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
  callbackSetup:
    "For receipts, have the provider post to {{ callbackUrl }} of the request; where it takes only one address for all messages, enter {url} followed by ?token= and the secret of callbacks.",
  regionOf: () => null,
  credentialsSchema: httpCredentialsSchema,
  credentialSettings: ["method", "url", "headers", "contentType", "body"],
  refusedSettings: (settings) => {
    const misplaced = misplacedSecrets(settings).map((one) => ({ ...one, code: "misplaced_secret" }));
    return misplaced.length > 0 ? misplaced : checkRequest(settings);
  },
  settingsSchema: httpSettingsSchema,
  missingFor,
  hasReceipts: (_channel, settings) => settings === undefined || hasReceipts(settings),
  supportsIdempotency: false,
  recognisesRepeats: (settings) => settings.recognisesRepeats,
  send,
  test,
  parseCallback: parseHttpCallback,
};
