/**
 * Meta's WhatsApp Cloud API.
 * Source: https://developers.facebook.com/documentation/business-messaging/whatsapp/reference
 */
import type { OutboundResponse } from "../../kernel/outbound-http.ts";
import { isUserId } from "../../kernel/user-id.ts";
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
  callProvider,
  onOneClock,
  refusedOutcome,
  sendThrough,
  testThrough,
  unexpectedAnswer,
  unreadableAnswer,
} from "../http-call.ts";
import type { KnownFailure, ProviderRequest } from "../http-call.ts";
import { digitsOf } from "../phone-number.ts";
import { jsonObject, providerText } from "../provider-text.ts";
import { trackingOf } from "../tracking.ts";
import { objectOf, objectsOf, textOf } from "../untrusted.ts";
import { sessionContent, templateContent } from "../whatsapp-content.ts";
import type { WhatsappContent } from "../whatsapp-content.ts";
import { createWordingCache, learnWording } from "../whatsapp-template.ts";
import { parseMetaCallback } from "./meta-callback.ts";
import { metaFailure } from "./meta-errors.ts";
import { fetchMetaLimit, versionForLimit } from "./meta-limit.ts";
import { fetchMetaApproval, fetchMetaWording } from "./meta-templates.ts";
import { metaCredentialsSchema, metaSettingsSchema } from "./schemas.ts";
import type { MetaCredentials, MetaSettings } from "./schemas.ts";

type MetaConnection = Connection<MetaCredentials, MetaSettings>;

/** Meta wants a name and a version of three numbers. */
const USER_AGENT = "tidings/1.0.0";
const MAX_TEMPLATES_BYTES = 1_048_576;
/** Too much to one recipient; Meta takes about one message in six seconds, and does not say when the next. */
const RECIPIENT_LIMIT = 131056;
const RECIPIENT_PAUSE_MS = 6_000;

const wordings = createWordingCache();

export const metaAdapter: Adapter<MetaCredentials, MetaSettings> = {
  name: "meta",
  label: "Meta WhatsApp Cloud API",
  channels: ["whatsapp"],
  inbound: ["whatsapp"],
  price: "rate_card",
  callbackCredentials: ["appSecret"],
  callbackSetup:
    "In the Meta app, under WhatsApp, Configuration, enter {url} as the callback URL with the verify token of this connection, and subscribe to messages, user_preferences, user_id_update and template_category_update.",
  // Where a number's data is stored was chosen when it was registered; the settings do not show it.
  regionOf: () => null,
  accountOf: (settings) => settings.phoneNumberId,
  callbackSecretOf: (credentials) => credentials.appSecret,
  credentialsSchema: metaCredentialsSchema,
  settingsSchema: metaSettingsSchema,
  hasReceipts: () => true,
  supportsIdempotency: false,

  async send(connection, message, given) {
    const deps = onOneClock(given);
    const content = await contentOf(connection, message, deps);
    if ("kind" in content) return content;
    const body = {
      messaging_product: "whatsapp",
      recipient_type: "individual",
      // In "to" a user id would be taken for a number.
      ...(isUserId(message.to) ? { recipient: message.to } : { to: digitsOf(message.to) }),
      ...content,
      // Meta's description knows this field on templates only; a text is an answer within a conversation.
      ...(content.type === "template"
        ? { biz_opaque_callback_data: trackingOf(message.notificationId, message.attempt) }
        : {}),
    };
    const request: ProviderRequest = {
      method: "POST",
      url: `${graphUrl(connection)}/${connection.settings.phoneNumberId}/messages`,
      headers: { ...headersOf(connection), "content-type": "application/json" },
      body: JSON.stringify(body),
    };
    return sendThrough(deps, request, sendOutcome);
  },

  test: (connection, deps) => {
    const fields = "display_phone_number,verified_name,quality_rating,name_status";
    return testThrough(
      deps,
      getting(connection, `/${connection.settings.phoneNumberId}?fields=${fields}`),
      testResult,
    );
  },

  // What Meta announces as the longest.
  callbackBytes: 3 * 1_024 * 1_024,
  parseCallback: (connection, request) => parseMetaCallback(connection.credentials, request),

  fetchTemplateApproval: (connection, template, deps) =>
    fetchMetaApproval(connection.settings.wabaId, template, (path) =>
      callProvider(deps, getting(connection, path)),
    ),

  fetchMessagingLimit: (connection, deps) => {
    const settings = { ...connection.settings, version: versionForLimit(connection.settings.version) };
    return fetchMetaLimit(settings.phoneNumberId, (path) =>
      callProvider(deps, getting({ ...connection, settings }, path)),
    );
  },
};

function graphUrl({ settings }: MetaConnection): string {
  return `${baseOf(settings.baseUrl, "https://graph.facebook.com")}/${settings.version}`;
}

function headersOf({ credentials }: MetaConnection): Record<string, string> {
  return {
    authorization: `Bearer ${credentials.accessToken}`,
    accept: "application/json",
    "user-agent": USER_AGENT,
  };
}

function getting(connection: MetaConnection, path: string): ProviderRequest {
  return {
    method: "GET",
    url: graphUrl(connection) + path,
    headers: { ...headersOf(connection), "content-type": "application/json" },
    maxBodyBytes: MAX_TEMPLATES_BYTES,
  };
}

async function contentOf(
  connection: MetaConnection,
  message: OutboundMessage,
  deps: AdapterDeps,
): Promise<WhatsappContent | SendOutcome> {
  const { whatsapp } = message;
  if (!whatsapp) return sessionContent(message);
  const { wabaId } = connection.settings;
  if (wabaId === undefined || !whatsapp.language) return templateContent(message, whatsapp, null);
  const template = { template: whatsapp.template, language: whatsapp.language };
  const key = [connection.id, wabaId, template.template, template.language].join("\n");
  const learnt = await learnWording(() =>
    wordings.get(key, () =>
      fetchMetaWording(wabaId, template, (path) => callProvider(deps, getting(connection, path))),
    ),
  );
  return "kind" in learnt ? learnt : templateContent(message, whatsapp, learnt.wording);
}

function sendOutcome(answer: OutboundResponse): SendOutcome {
  const body = jsonObject(answer.body);
  if (answer.status >= 200 && answer.status < 300) {
    const message = objectsOf(body?.messages, 1)[0];
    const id = textOf(message?.id);
    if (id === undefined) return unreadableAnswer;
    return { kind: "sent", providerMessageId: id, final: false };
  }
  const error = objectOf(body?.error);
  const code = typeof error.code === "number" ? error.code : undefined;
  const words = textOf(objectOf(error.error_data).details) ?? textOf(error.message);
  const said = {
    ...(code === undefined ? {} : { providerCode: String(code) }),
    ...(words === undefined ? {} : { providerMessage: providerText(words) }),
  };
  const outcome = refusedOutcome(answer, said, knownFailure(answer.status, code));
  return outcome.kind === "not_sent" && code === RECIPIENT_LIMIT
    ? { retryAfterMs: RECIPIENT_PAUSE_MS, ...outcome }
    : outcome;
}

/** What Meta's code says; of a 5xx it says nothing, because the message may have been taken. */
function knownFailure(status: number, code: number | undefined): KnownFailure | undefined {
  return status >= 500 || status === 408 || code === undefined ? undefined : metaFailure(code);
}

function testResult(answer: OutboundResponse): TestResult {
  const body = jsonObject(answer.body);
  const error = objectOf(body?.error);
  if (answer.status === 401 || error.code === 190 || error.code === 0) {
    return { ok: false, problem: "Meta does not accept the access token" };
  }
  if (answer.status === 403 || error.code === 10 || error.code === 100 || error.code === 33) {
    return {
      ok: false,
      // Sending needs fewer permissions than reading about the number.
      reachable: true,
      problem: "Meta knows no such phone number ID, or the access token may not use it",
    };
  }
  if (answer.status !== 200 || !body) {
    return unexpectedAnswer("Meta", answer.status);
  }
  const facts = [
    { label: "Number", value: textOf(body.display_phone_number, 40) },
    { label: "Verified name", value: textOf(body.verified_name, 200) },
    { label: "Quality rating", value: textOf(body.quality_rating, 40) },
  ];
  return {
    ok: true,
    facts: facts.flatMap(({ label, value }) => (value === undefined ? [] : [{ label, value }])),
  };
}
