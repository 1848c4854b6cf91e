/**
 * Infobip: SMS (API v3) and WhatsApp.
 * Sources: https://www.infobip.com/docs/api/channels/sms, https://www.infobip.com/docs/api/channels/whatsapp
 */
import type { OutboundResponse } from "../../kernel/outbound-http.ts";
import type {
  Adapter,
  AdapterDeps,
  Connection,
  OutboundMessage,
  SendOutcome,
  TestResult,
} from "../adapter.ts";
import { signedCallbackUrlFor } from "../callback-url.ts";
import {
  baseOf,
  callProvider,
  isPublicName,
  onOneClock,
  refusedOutcome,
  sendThrough,
  testThrough,
  unexpectedAnswer,
  unreadableAnswer,
} from "../http-call.ts";
import type { KnownFailure, ProviderRequest } from "../http-call.ts";
import { contentRejected, invalidRecipient, senderRejected, templateRejected } from "../known-failures.ts";
import { digitsOf } from "../phone-number.ts";
import { jsonObject, providerText } from "../provider-text.ts";
import { objectOf, objectsOf, textOf } from "../untrusted.ts";
import type { JsonObject } from "../untrusted.ts";
import { createWordingCache, learnWording } from "../whatsapp-template.ts";
import { parseInfobipCallback, statusOutcome } from "./infobip-callback.ts";
import { infobipFailure } from "./infobip-errors.ts";
import { sessionRequest, smsRequest, templateRequest } from "./infobip-message.ts";
import type { InfobipRequest } from "./infobip-message.ts";
import { fetchInfobipApproval, fetchInfobipWording } from "./infobip-templates.ts";
import { infobipCredentialsSchema, infobipSettingsSchema } from "./schemas.ts";
import type { InfobipCredentials, InfobipSettings } from "./schemas.ts";

type InfobipConnection = Connection<InfobipCredentials, InfobipSettings>;

const MAX_TEMPLATES_BYTES = 4_194_304;

const wordings = createWordingCache();

export const infobipAdapter: Adapter<InfobipCredentials, InfobipSettings> = {
  name: "infobip",
  label: "Infobip",
  channels: ["sms", "whatsapp"],
  inbound: ["sms", "whatsapp"],
  price: "receipt",
  callbackCredentials: ["callbackSecret"],
  callbackSetup:
    "In Infobip's Subscriptions Management, create subscriptions for SMS and WhatsApp with {url} as the webhook, secured with Basic (user name tidings, the callback secret as password).",
  // The personal base URL does not say where Infobip processes the account's data.
  regionOf: () => null,
  credentialsSchema: infobipCredentialsSchema,
  settingsSchema: infobipSettingsSchema,
  hasReceipts: () => true,
  // The message's id is ours, and Infobip refuses one that it has seen.
  supportsIdempotency: true,

  async send(connection, message, given) {
    const deps = onOneClock(given);
    const reportUrl = isPublicName(message.callbackUrl)
      ? signedCallbackUrlFor(message, connection.credentials.callbackSecret)
      : null;
    const wanted = await requestOf(connection, message, reportUrl, deps);
    if ("kind" in wanted) return wanted;
    const request: ProviderRequest = {
      method: "POST",
      url: baseOf(connection.settings.baseUrl, "") + wanted.path,
      headers: { ...headersOf(connection), "content-type": "application/json" },
      body: JSON.stringify(wanted.body),
    };
    return sendThrough(deps, request, (answer) => sendOutcome(answer, message, reportUrl === null));
  },

  test: (connection, deps) => testThrough(deps, getting(connection, "/account/1/balance"), testResult),

  // Reports come in batches.
  callbackBytes: 1_024 * 1_024,
  parseCallback: parseInfobipCallback,

  fetchTemplateApproval: (connection, template, deps) => {
    const sender = connection.settings.whatsappSender;
    return fetchInfobipApproval(
      template,
      sender === undefined ? null : () => askTemplates(connection, sender, deps),
    );
  },
};

async function requestOf(
  connection: InfobipConnection,
  message: OutboundMessage,
  reportUrl: string | null,
  deps: AdapterDeps,
): Promise<InfobipRequest | SendOutcome> {
  if (message.channel === "sms") return smsRequest(message, reportUrl);
  const { whatsapp, senderId } = message;
  if (!whatsapp) return sessionRequest(message, reportUrl);
  const { template, language } = whatsapp;
  // All templates of the sender come at once, so they are asked for only where it matters.
  const matters = message.header?.type === "text" || message.buttons?.some(({ type }) => type === "url");
  if (!matters || !language || senderId === undefined) {
    return templateRequest(message, whatsapp, null, reportUrl);
  }
  const key = [connection.id, senderId, template, language].join("\n");
  const learnt = await learnWording(() =>
    wordings.get(key, () =>
      fetchInfobipWording({ template, language }, () => askTemplates(connection, senderId, deps)),
    ),
  );
  return "kind" in learnt ? learnt : templateRequest(message, whatsapp, learnt.wording, reportUrl);
}

function headersOf({ credentials }: InfobipConnection): Record<string, string> {
  return { authorization: `App ${credentials.apiKey}`, accept: "application/json" };
}

function getting(connection: InfobipConnection, path: string): ProviderRequest {
  return {
    method: "GET",
    url: baseOf(connection.settings.baseUrl, "") + path,
    headers: headersOf(connection),
    maxBodyBytes: MAX_TEMPLATES_BYTES,
  };
}

function askTemplates(
  connection: InfobipConnection,
  sender: string,
  deps: AdapterDeps,
): Promise<OutboundResponse> {
  const path = `/whatsapp/2/senders/${encodeURIComponent(digitsOf(sender))}/templates`;
  return callProvider(deps, getting(connection, path));
}

function sendOutcome(answer: OutboundResponse, message: OutboundMessage, final: boolean): SendOutcome {
  const body = jsonObject(answer.body);
  if (answer.status < 200 || answer.status >= 300) return refusal(answer, body ?? {});
  const sent = objectsOf(body?.messages, 1)[0] ?? objectOf(body);
  const id = textOf(sent.messageId);
  if (id === undefined) return unreadableAnswer;
  const status = objectOf(sent.status);
  const name = textOf(status.name, 64);
  const outcome = statusOutcome(status, {});
  if (outcome?.status === "failed") return refusedInAnswer(name ?? "", status);
  const count = objectOf(sent.details).messageCount ?? sent.messageCount;
  const segments =
    message.channel === "sms" && typeof count === "number" && Number.isInteger(count) && count > 0
      ? count
      : undefined;
  return {
    kind: "sent",
    providerMessageId: id,
    final,
    ...(segments === undefined ? {} : { segments }),
  };
}

/** Taken and refused in one answer. What could help later needs another id, so another connection is better. */
function refusedInAnswer(name: string, status: JsonObject): SendOutcome {
  const known = infobipFailure(name, "");
  const words = textOf(status.description);
  return {
    kind: "not_sent",
    ...(known ?? {
      code: "provider_rejected",
      detail: "The provider refuses the message",
      retry: "failover" as const,
    }),
    ...(name === "" ? {} : { providerCode: name }),
    ...(words === undefined ? {} : { providerMessage: providerText(words) }),
  };
}

function refusal(answer: OutboundResponse, body: JsonObject): SendOutcome {
  // SMS and WhatsApp have different forms of the same thing.
  const exception = objectOf(objectOf(body.requestError).serviceException);
  const violations = objectsOf(body.violations, 20);
  const fields = [
    ...violations.map(({ property }) => textOf(property, 200) ?? ""),
    ...Object.keys(objectOf(exception.validationErrors)).slice(0, 20),
  ];
  const code = textOf(body.errorCode, 64) ?? textOf(exception.messageId, 64);
  const words =
    textOf(violations[0]?.violation) ??
    firstText(objectOf(exception.validationErrors)) ??
    textOf(body.description) ??
    textOf(exception.text);
  const said = {
    ...(code === undefined ? {} : { providerCode: code }),
    ...(words === undefined ? {} : { providerMessage: providerText(words) }),
  };
  return refusedOutcome(answer, said, answer.status === 400 ? failureOfFields(fields) : undefined);
}

function firstText(errors: JsonObject): string | undefined {
  const [first] = Object.values(errors);
  return Array.isArray(first) ? textOf(first[0]) : undefined;
}

/** A 400 says which field it is about. */
function failureOfFields(fields: string[]): KnownFailure | undefined {
  const about = (pattern: RegExp): boolean => fields.some((field) => pattern.test(field));
  if (about(/(^|\.)to$/)) return invalidRecipient;
  if (about(/(^|\.)(sender|from)$/)) return senderRejected;
  if (about(/template|language/i)) return templateRejected;
  return about(/(^|\.)content\b/) ? contentRejected : undefined;
}

function testResult(answer: OutboundResponse): TestResult {
  if (answer.status === 401)
    return { ok: false, problem: "Infobip does not accept the API key at this base URL" };
  // A key that may only send is a good one.
  if (answer.status === 403)
    return { ok: true, facts: [{ label: "Balance", value: "not shown to this API key" }] };
  const body = answer.status === 200 ? jsonObject(answer.body) : null;
  if (!body) return unexpectedAnswer("Infobip", answer.status);
  const { balance, currency } = body;
  return typeof balance === "number" && typeof currency === "string"
    ? { ok: true, facts: [{ label: "Balance", value: `${balance.toFixed(2)} ${currency.slice(0, 3)}` }] }
    : { ok: false, problem: "What answers at this base URL is not Infobip" };
}
