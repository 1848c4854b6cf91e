/**
 * Twilio Programmable Messaging: SMS and WhatsApp.
 * Source: https://www.twilio.com/docs/messaging/api/message-resource
 */
import type { OutboundResponse } from "../../kernel/outbound-http.ts";
import { isUserId } from "../../kernel/user-id.ts";
import type { Adapter, Connection, OutboundMessage, SendOutcome } from "../adapter.ts";
import { callbackUrlFor } from "../callback-url.ts";
import {
  baseOf,
  basicAuth,
  callProvider,
  isPublicName,
  notTried,
  refusedOutcome,
  sendThrough,
  testThrough,
  unexpectedAnswer,
  unreadableAnswer,
} from "../http-call.ts";
import type { KnownFailure, ProviderRequest } from "../http-call.ts";
import { jsonObject, providerText } from "../provider-text.ts";
import { twilioCredentialsSchema, twilioSettingsSchema } from "./schemas.ts";
import type { TwilioCredentials, TwilioSettings } from "./schemas.ts";
import { fetchTwilioApproval } from "./twilio-approval.ts";
import { parseTwilioCallback, twilioPrice } from "./twilio-callback.ts";
import { twilioFailure } from "./twilio-errors.ts";
import { listTwilioPrices } from "./twilio-prices.ts";

type TwilioConnection = Connection<TwilioCredentials, TwilioSettings>;

const REGIONS: Record<TwilioSettings["region"], string> = { us1: "US", ie1: "EU", au1: "AU" };
const REGION_URLS: Record<TwilioSettings["region"], string> = {
  us1: "https://api.twilio.com",
  ie1: "https://api.dublin.ie1.twilio.com",
  au1: "https://api.sydney.au1.twilio.com",
};
/** How long a message may wait at Twilio at most, and does without a word, seconds. */
const MAX_VALIDITY_S = 36_000;
const CONTENT_URLS: Record<TwilioSettings["region"], string> = {
  us1: "https://content.twilio.com",
  ie1: "https://content.dublin.ie1.twilio.com",
  au1: "https://content.sydney.au1.twilio.com",
};

export const twilioAdapter: Adapter<TwilioCredentials, TwilioSettings> = {
  name: "twilio",
  label: "Twilio",
  channels: ["sms", "whatsapp"],
  inbound: ["sms", "whatsapp"],
  price: "later",
  callbackCredentials: ["authToken"],
  callbackSetup:
    "In the Twilio console, set {url} as the address for incoming messages of your numbers or messaging service.",
  regionOf: (settings) => REGIONS[settings.region],
  credentialsSchema: twilioCredentialsSchema,
  settingsSchema: twilioSettingsSchema,
  hasReceipts: () => true,
  supportsIdempotency: false,

  async send(connection, message, deps) {
    const callbackUrl = statusCallback(connection, message);
    const form = messageForm(connection, message, callbackUrl);
    if (!(form instanceof URLSearchParams)) return form;
    const request: ProviderRequest = {
      method: "POST",
      url: `${accountUrl(connection)}/Messages.json`,
      headers: {
        authorization: authorization(connection),
        "content-type": "application/x-www-form-urlencoded",
        accept: "application/json",
      },
      body: form.toString(),
    };
    return sendThrough(deps, request, (answer) => sendOutcome(answer, callbackUrl === null));
  },

  test: (connection, deps) =>
    testThrough(deps, getting(connection, `${accountUrl(connection)}.json`), (answer) => {
      const body = jsonObject(answer.body);
      if (answer.status === 401 || answer.status === 403 || answer.status === 404) {
        return { ok: false, problem: "Twilio does not accept this account SID and auth token" };
      }
      if (answer.status !== 200 || !body) return unexpectedAnswer("Twilio", answer.status);
      if (typeof body.status === "string" && body.status !== "active") {
        const problem = `The Twilio account is ${providerText(body.status)}`;
        return { ok: false, reachable: true, problem };
      }
      return { ok: true };
    }),

  parseCallback: (connection, request) => parseTwilioCallback(connection.credentials.authToken, request),

  listPrices: (connection, query, deps) =>
    listTwilioPrices(query, (path, maxBodyBytes) =>
      callProvider(deps, { ...getting(connection, accountUrl(connection) + path), maxBodyBytes }),
    ),

  fetchTemplateApproval: (connection, { template }, deps) =>
    fetchTwilioApproval(template, (path) =>
      callProvider(deps, getting(connection, contentUrl(connection) + path)),
    ),
};

function contentUrl({ settings }: TwilioConnection): string {
  return baseOf(settings.baseUrl, CONTENT_URLS[settings.region]);
}

function accountUrl({ credentials, settings }: TwilioConnection): string {
  const base = baseOf(settings.baseUrl, REGION_URLS[settings.region]);
  return `${base}/2010-04-01/Accounts/${credentials.accountSid}`;
}

function authorization({ credentials }: TwilioConnection): string {
  return basicAuth(credentials.accountSid, credentials.authToken);
}

function getting(connection: TwilioConnection, url: string): ProviderRequest {
  return {
    method: "GET",
    url,
    headers: { authorization: authorization(connection), accept: "application/json" },
  };
}

/** Twilio refuses a message whose callback it could never reach; such a message is sent without receipts. */
function statusCallback({ settings }: TwilioConnection, message: OutboundMessage): string | null {
  if (settings.baseUrl === undefined && !isPublicName(message.callbackUrl)) return null;
  return callbackUrlFor(message);
}

/** The request's fields, or why there is none to make. */
function messageForm(
  { settings }: TwilioConnection,
  message: OutboundMessage,
  callbackUrl: string | null,
): URLSearchParams | SendOutcome {
  const form = new URLSearchParams();
  const prefix = message.channel === "whatsapp" ? "whatsapp:" : "";
  // Its API has been seen to take the digits of an id for a number: somebody else's.
  if (isUserId(message.to)) {
    return notTried(
      "failover",
      "invalid_recipient",
      "Twilio sends to phone numbers only, not to WhatsApp user ids",
    );
  }
  form.set("To", prefix + message.to);

  const sender = message.senderId;
  const service =
    sender !== undefined && /^MG[0-9a-fA-F]{32}$/.test(sender) ? sender : settings.messagingServiceSid;
  if (sender !== undefined && sender !== service) form.set("From", prefix + sender);
  if (service !== undefined) form.set("MessagingServiceSid", service);
  if (sender === undefined && service === undefined) {
    return notTried("failover", "sender_rejected", "The connection has no sender for this region");
  }

  if (message.whatsapp) {
    const { template, variables } = message.whatsapp;
    if (!/^HX[0-9a-fA-F]{32}$/.test(template)) {
      return notTried("failover", "template_rejected", "The template's name is not a Twilio content SID");
    }
    form.set("ContentSid", template);
    form.set("ContentVariables", JSON.stringify(variables));
  } else if (message.text) {
    form.set("Body", message.text);
  } else {
    return notTried("never", "invalid_message", "The message has neither a text nor a Twilio content SID");
  }
  if (callbackUrl !== null) form.set("StatusCallback", callbackUrl);
  const validity = validitySeconds(message.expiresAt);
  if (validity !== null) form.set("ValidityPeriod", String(validity));
  return form;
}

/** How long the message may wait in Twilio's queue; null where it lives longer than Twilio keeps any. */
function validitySeconds(expiresAt: Date | undefined): number | null {
  if (!expiresAt) return null;
  const seconds = Math.floor((expiresAt.getTime() - Date.now()) / 1_000);
  return seconds >= MAX_VALIDITY_S ? null : Math.max(1, seconds);
}

function sendOutcome(answer: OutboundResponse, final: boolean): SendOutcome {
  const body = jsonObject(answer.body);
  if (answer.status >= 200 && answer.status < 300) return acceptedOutcome(body, final);
  const number = typeof body?.code === "number" ? body.code : undefined;
  const said = {
    providerCode: String(number ?? answer.status),
    ...(typeof body?.message === "string" ? { providerMessage: providerText(body.message) } : {}),
  };
  return refusedOutcome(answer, said, knownFailure(answer.status, number));
}

/** What Twilio's number says; of a 5xx it says nothing, because the message may have been taken. */
function knownFailure(status: number, number: number | undefined): KnownFailure | undefined {
  if (status >= 500 || status === 408) return undefined;
  return (
    (number === undefined ? undefined : twilioFailure(number)) ??
    (status === 429 ? twilioFailure(20429) : undefined) ??
    (status === 401 || status === 403 ? twilioFailure(20003) : undefined)
  );
}

function acceptedOutcome(body: Record<string, unknown> | null, final: boolean): SendOutcome {
  if (!body || typeof body.sid !== "string" || !/^(SM|MM)[0-9a-fA-F]{32}$/.test(body.sid)) {
    return unreadableAnswer;
  }
  const segments = Number(body.num_segments);
  const price = twilioPrice(body.price, body.price_unit);
  return {
    kind: "sent",
    providerMessageId: body.sid,
    final,
    ...(Number.isInteger(segments) && segments > 0 ? { segments } : {}),
    ...(price ? { price } : {}),
  };
}
