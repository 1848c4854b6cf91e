/**
 * Vonage Messages API, version 1: SMS and WhatsApp.
 * Source: https://developer.vonage.com/en/api/messages
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
import {
  baseOf,
  basicAuth,
  isPublicName,
  notTried,
  refusedOutcome,
  sendThrough,
  testThrough,
  unexpectedAnswer,
  unreadableAnswer,
} from "../http-call.ts";
import type { ProviderRequest } from "../http-call.ts";
import { digitsOf } from "../phone-number.ts";
import { jsonObject, providerText } from "../provider-text.ts";
import { trackingOf } from "../tracking.ts";
import { objectsOf, textOf } from "../untrusted.ts";
import { vonageCredentialsSchema, vonageSettingsSchema } from "./schemas.ts";
import type { VonageCredentials, VonageSettings } from "./schemas.ts";
import { parseVonageCallback } from "./vonage-callback.ts";
import { vonageAnswerFailure, vonageErrorCode } from "./vonage-errors.ts";
import { smsContent, whatsappSession, whatsappTemplate } from "./vonage-message.ts";
import type { VonageContent } from "./vonage-message.ts";
import { readKey, vonageToken } from "./vonage-token.ts";

type VonageConnection = Connection<VonageCredentials, VonageSettings>;

const REGIONS: Record<VonageSettings["region"], string | null> = { global: null, eu: "EU", us: "US" };
const REGION_URLS: Record<VonageSettings["region"], string> = {
  global: "https://api.nexmo.com",
  eu: "https://api-eu.vonage.com",
  us: "https://api-us.vonage.com",
};
const ACCOUNT_URL = "https://rest.nexmo.com";

export const vonageAdapter: Adapter<VonageCredentials, VonageSettings> = {
  name: "vonage",
  label: "Vonage",
  channels: ["sms", "whatsapp"],
  inbound: ["sms", "whatsapp"],
  price: "receipt",
  callbackCredentials: ["signatureSecret"],
  callbackSetup:
    "In the Vonage dashboard, enter {url} as inbound and status URL of the application's Messages capability, version 1, and link your numbers to the application.",
  regionOf: (settings) => REGIONS[settings.region],
  credentialsSchema: vonageCredentialsSchema,
  settingsSchema: vonageSettingsSchema,
  refusedCredentials: ({ privateKey, apiKey, apiSecret }) => [
    ...(readKey(privateKey)
      ? []
      : [{ credential: "privateKey", code: "custom", detail: "Not an RSA private key that can be read" }]),
    ...((apiKey === undefined) === (apiSecret === undefined)
      ? []
      : [
          {
            credential: apiKey === undefined ? "apiKey" : "apiSecret",
            detail: "The API key and its secret belong together: the balance needs both",
          },
        ]),
  ],
  hasReceipts: () => true,
  supportsIdempotency: false,

  async send(connection, message, deps) {
    const content = contentOf(message);
    if ("kind" in content) return content;
    if (message.senderId === undefined) {
      return notTried("failover", "sender_rejected", "The connection has no sender for this region");
    }
    const token = await vonageToken(connection.credentials);
    if (token === null) {
      return notTried("failover", "provider_credentials", "The connection's private key cannot be read");
    }
    const reachable = isPublicName(message.callbackUrl);
    const body = {
      channel: message.channel,
      to: digitsOf(message.to),
      from: digitsOf(message.senderId),
      client_ref: trackingOf(message.notificationId, message.attempt),
      ...(reachable ? { webhook_url: message.callbackUrl, webhook_version: "v1" } : {}),
      ...content,
    };
    return sendThrough(deps, posting(connection, token, body), (answer) => sendOutcome(answer, !reachable));
  },

  async test(connection, deps) {
    const token = await vonageToken(connection.credentials);
    if (token === null) return { ok: false, problem: "The private key cannot be read", unasked: true };
    // An empty message is refused as such, but only after the token was accepted: nothing is sent.
    const known = await testThrough(deps, posting(connection, token, {}), tokenResult);
    return known.ok ? balanceOf(connection, deps) : known;
  },

  parseCallback: (connection, request) => parseVonageCallback(connection.credentials, request),
};

function contentOf(message: OutboundMessage): VonageContent | SendOutcome {
  if (message.channel === "sms") return smsContent(message);
  return message.whatsapp ? whatsappTemplate(message, message.whatsapp) : whatsappSession(message);
}

function posting({ settings }: VonageConnection, token: string, body: object): ProviderRequest {
  return {
    method: "POST",
    url: `${baseOf(settings.baseUrl, REGION_URLS[settings.region])}/v1/messages`,
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json",
    },
    body: JSON.stringify(body),
  };
}

function sendOutcome(answer: OutboundResponse, final: boolean): SendOutcome {
  const body = jsonObject(answer.body) ?? {};
  if (answer.status >= 200 && answer.status < 300) {
    const id = textOf(body.message_uuid, 64);
    return id === undefined ? unreadableAnswer : { kind: "sent", providerMessageId: id, final };
  }
  const code = vonageErrorCode(textOf(body.type, 2_048));
  const reasons = objectsOf(body.invalid_parameters, 3).map(
    ({ name, reason }) => `${textOf(name, 100) ?? ""} ${textOf(reason, 200) ?? ""}`,
  );
  const words = [textOf(body.detail) ?? textOf(body.title) ?? "", ...reasons].join(" ").trim();
  const said = {
    ...(code === undefined ? {} : { providerCode: code }),
    ...(words === "" ? {} : { providerMessage: providerText(words) }),
  };
  return refusedOutcome(
    answer,
    said,
    vonageAnswerFailure(answer.status, textOf(body.title, 100) ?? "", code),
  );
}

function tokenResult(answer: OutboundResponse): TestResult {
  if (answer.status === 400 || answer.status === 422) return { ok: true };
  return answer.status === 401 || answer.status === 403
    ? { ok: false, problem: "Vonage does not accept this application ID and private key for messages" }
    : unexpectedAnswer("Vonage", answer.status);
}

function balanceOf({ credentials, settings }: VonageConnection, deps: AdapterDeps): Promise<TestResult> {
  const { apiKey, apiSecret } = credentials;
  if (apiKey === undefined || apiSecret === undefined) return Promise.resolve({ ok: true });
  const request: ProviderRequest = {
    method: "GET",
    url: `${baseOf(settings.baseUrl, ACCOUNT_URL)}/account/get-balance`,
    headers: { authorization: basicAuth(apiKey, apiSecret), accept: "application/json" },
  };
  return testThrough(deps, request, (answer) => {
    const value = answer.status === 200 ? jsonObject(answer.body)?.value : undefined;
    return typeof value === "number"
      ? { ok: true, facts: [{ label: "Balance", value: `${value.toFixed(2)} EUR` }] }
      : {
          ok: false,
          reachable: true,
          problem: "Vonage accepts the application, but not the API key and secret",
        };
  });
}
