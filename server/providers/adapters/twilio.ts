/**
 * Twilio Programmable Messaging: SMS and WhatsApp.
 * Source: https://www.twilio.com/docs/messaging/api/message-resource
 */
import type { OutboundResponse } from "../../kernel/outbound-http.ts";
import { OutboundError } from "../../kernel/outbound-http.ts";
import type { Adapter, AdapterDeps, Connection, OutboundMessage, Receipt, SendOutcome } from "./adapter.ts";
import { callbackUrlFor } from "./callback-url.ts";
import { jsonObject, providerText, retryAfterMs } from "./provider-text.ts";
import { twilioCredentialsSchema, twilioSettingsSchema } from "./schemas.ts";
import type { TwilioCredentials, TwilioSettings } from "./schemas.ts";
import { transportOutcome } from "./transport-outcome.ts";
import { fetchTwilioApproval } from "./twilio-approval.ts";
import { parseTwilioCallback, statusReceipt, twilioPrice } from "./twilio-callback.ts";
import { twilioFailure } from "./twilio-errors.ts";

type TwilioConnection = Connection<TwilioCredentials, TwilioSettings>;

const REGION_URLS: Record<TwilioSettings["region"], string> = {
  us1: "https://api.twilio.com",
  ie1: "https://api.dublin.ie1.twilio.com",
  au1: "https://api.sydney.au1.twilio.com",
};
const CONTENT_URLS: Record<TwilioSettings["region"], string> = {
  us1: "https://content.twilio.com",
  ie1: "https://content.dublin.ie1.twilio.com",
  au1: "https://content.sydney.au1.twilio.com",
};
const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 65_536;

export const twilioAdapter: Adapter<TwilioCredentials, TwilioSettings> = {
  name: "twilio",
  label: "Twilio",
  channels: ["sms", "whatsapp"],
  credentialsSchema: twilioCredentialsSchema,
  settingsSchema: twilioSettingsSchema,
  hasReceipts: () => true,
  supportsIdempotency: false,

  async send(connection, message, deps) {
    const callbackUrl = statusCallback(connection, message);
    const form = messageForm(connection, message, callbackUrl);
    if (!(form instanceof URLSearchParams)) return form;
    let answer: OutboundResponse;
    try {
      answer = await deps.http.request({
        method: "POST",
        url: `${accountUrl(connection)}/Messages.json`,
        headers: {
          authorization: basicAuth(connection.credentials),
          "content-type": "application/x-www-form-urlencoded",
          accept: "application/json",
        },
        body: form.toString(),
        ...limits(deps),
      });
    } catch (error) {
      return transportOutcome(error);
    }
    return sendOutcome(answer, callbackUrl === null);
  },

  async test(connection, deps) {
    let answer: OutboundResponse;
    try {
      answer = await get(connection, `${accountUrl(connection)}.json`, deps);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { ok: false, problem: error.message };
    }
    const body = jsonObject(answer.body);
    if (answer.status === 401 || answer.status === 403 || answer.status === 404) {
      return { ok: false, problem: "Twilio does not accept this account SID and auth token" };
    }
    if (answer.status !== 200 || !body)
      return { ok: false, problem: `Twilio answered with status ${answer.status}` };
    if (typeof body.status === "string" && body.status !== "active") {
      return { ok: false, problem: `The Twilio account is ${providerText(body.status)}` };
    }
    return { ok: true };
  },

  parseCallback: (connection, request) => parseTwilioCallback(connection.credentials.authToken, request),

  async fetchMessage(connection, providerMessageId, deps) {
    const url = `${accountUrl(connection)}/Messages/${encodeURIComponent(providerMessageId)}.json`;
    const answer = await get(connection, url, deps);
    const body = answer.status === 200 ? jsonObject(answer.body) : null;
    return body ? fetchedReceipt(providerMessageId, body) : null;
  },

  fetchTemplateApproval: (connection, { template }, deps) =>
    fetchTwilioApproval(template, (path) => get(connection, contentUrl(connection) + path, deps)),
};

function contentUrl({ settings }: TwilioConnection): string {
  return settings.baseUrl?.replace(/\/+$/, "") ?? CONTENT_URLS[settings.region];
}

function accountUrl({ credentials, settings }: TwilioConnection): string {
  const base = settings.baseUrl?.replace(/\/+$/, "") ?? REGION_URLS[settings.region];
  return `${base}/2010-04-01/Accounts/${credentials.accountSid}`;
}

function basicAuth(credentials: TwilioCredentials): string {
  return `Basic ${Buffer.from(`${credentials.accountSid}:${credentials.authToken}`).toString("base64")}`;
}

function limits(deps: AdapterDeps) {
  return {
    timeoutMs: deps.timeoutMs ?? TIMEOUT_MS,
    maxBodyBytes: MAX_ANSWER_BYTES,
    ...(deps.signal ? { signal: deps.signal } : {}),
  };
}

function get(connection: TwilioConnection, url: string, deps: AdapterDeps): Promise<OutboundResponse> {
  const headers = { authorization: basicAuth(connection.credentials), accept: "application/json" };
  return deps.http.request({ method: "GET", url, headers, ...limits(deps) });
}

/** Twilio refuses a message whose callback it could never reach; such a message is sent without receipts. */
function statusCallback({ settings }: TwilioConnection, message: OutboundMessage): string | null {
  if (settings.baseUrl === undefined && !/^https?:\/\/[^/:]+\.[^/:]+/.test(message.callbackUrl)) return null;
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
  form.set("To", prefix + message.to);

  const sender = message.senderId;
  const service =
    sender !== undefined && /^MG[0-9a-fA-F]{32}$/.test(sender) ? sender : settings.messagingServiceSid;
  if (sender !== undefined && sender !== service) form.set("From", prefix + sender);
  if (service !== undefined) form.set("MessagingServiceSid", service);
  if (sender === undefined && service === undefined) {
    return refused("failover", "sender_rejected", "The connection has no sender for this region");
  }

  const template = message.whatsapp?.template;
  if (template !== undefined && /^HX[0-9a-fA-F]{32}$/.test(template)) {
    form.set("ContentSid", template);
    form.set("ContentVariables", JSON.stringify(message.whatsapp?.variables ?? {}));
  } else if (message.text) {
    form.set("Body", message.text);
  } else {
    return refused("never", "invalid_message", "The message has neither a text nor a Twilio content SID");
  }
  if (callbackUrl !== null) form.set("StatusCallback", callbackUrl);
  return form;
}

function refused(retry: "failover" | "never", code: string, detail: string): SendOutcome {
  return { kind: "not_sent", retry, code, detail };
}

function sendOutcome(answer: OutboundResponse, final: boolean): SendOutcome {
  const body = jsonObject(answer.body);
  if (answer.status >= 200 && answer.status < 300) return acceptedOutcome(body, final);
  const number = typeof body?.code === "number" ? body.code : undefined;
  const said = {
    providerCode: String(number ?? answer.status),
    ...(typeof body?.message === "string" ? { providerMessage: providerText(body.message) } : {}),
  };
  if (answer.status >= 500 || answer.status === 408) {
    return {
      kind: "unknown",
      code: "provider_error",
      detail: `The provider answered with status ${answer.status}`,
      ...said,
    };
  }
  const wait = retryAfterMs(answer.headers["retry-after"]);
  const failure =
    (number === undefined ? undefined : twilioFailure(number)) ??
    (answer.status === 429 ? twilioFailure(20429) : undefined) ??
    (answer.status === 401 || answer.status === 403 ? twilioFailure(20003) : undefined);
  return {
    kind: "not_sent",
    retry: failure?.retry ?? "failover",
    code: failure?.code ?? "provider_rejected",
    detail: failure?.detail ?? "The provider refuses the message",
    ...(wait === undefined || failure?.retry !== "later" ? {} : { retryAfterMs: wait }),
    ...said,
  };
}

function acceptedOutcome(body: Record<string, unknown> | null, final: boolean): SendOutcome {
  if (!body || typeof body.sid !== "string" || !/^(SM|MM)[0-9a-fA-F]{32}$/.test(body.sid)) {
    return {
      kind: "unknown",
      code: "provider_answer_unreadable",
      detail: "The provider accepted, but gave no message id",
    };
  }
  const segments = Number(body.num_segments);
  const price = twilioPrice(body.price, body.price_unit);
  return {
    kind: "sent",
    providerMessageId: body.sid,
    final,
    ...(typeof body.status === "string" ? { providerStatus: body.status } : {}),
    ...(Number.isInteger(segments) && segments > 0 ? { segments } : {}),
    ...(price ? { price } : {}),
  };
}

function fetchedReceipt(sid: string, body: Record<string, unknown>): Receipt | null {
  const errorCode = typeof body.error_code === "number" ? String(body.error_code) : null;
  const errorMessage = typeof body.error_message === "string" ? body.error_message : null;
  const receipt = statusReceipt(
    sid,
    typeof body.status === "string" ? body.status : "",
    errorCode,
    errorMessage,
  );
  if (!receipt) return null;
  const price = twilioPrice(body.price, body.price_unit);
  const segments = Number(body.num_segments);
  return {
    ...receipt,
    ...(price ? { price } : {}),
    ...(Number.isInteger(segments) && segments > 0 ? { segments } : {}),
  };
}
