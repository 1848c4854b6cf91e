/**
 * E-mail through Resend.
 * Source: https://resend.com/docs/api-reference/emails/send-email
 */
import type { OutboundResponse } from "../../kernel/outbound-http.ts";
import type { Adapter, Connection, OutboundMessage, SendOutcome, TestResult } from "../adapter.ts";
import { NOTIFICATION_TAG } from "../callback-url.ts";
import { checkEmail, formatMailbox, sizeProblem } from "../email-message.ts";
import type { CheckedEmail } from "../email-message.ts";
import { baseOf, sendThrough, testThrough, unexpectedAnswer, unreadableAnswer } from "../http-call.ts";
import { jsonObject, providerText } from "../provider-text.ts";
import { objectsOf, textOf } from "../untrusted.ts";
import { parseResendCallback, resendWebhook } from "./resend-callback.ts";
import { resendComplaint, resendRefusal } from "./resend-errors.ts";
import { resendCredentialsSchema, resendSettingsSchema } from "./schemas.ts";
import type { ResendCredentials, ResendSettings } from "./schemas.ts";

type ResendConnection = Connection<ResendCredentials, ResendSettings>;

const MAX_BYTES = 40_000_000;

export const resendAdapter: Adapter<ResendCredentials, ResendSettings> = {
  name: "resend",
  label: "Resend",
  channels: ["email"],
  inbound: [],
  price: "none",
  callbackCredentials: ["webhookSecret"],
  callbackSetup:
    "In Resend under Webhooks: add {url}, choose all e-mail events, and enter the webhook's signing secret here.",
  // The sending region of a domain decides where mails are sent from; what Resend stores of them is in the United States.
  regionOf: () => "US",
  credentialsSchema: resendCredentialsSchema,
  settingsSchema: resendSettingsSchema,
  hasReceipts: () => true,
  /** For 24 hours, and for the same bytes: the body must not contain what differs between attempts. */
  supportsIdempotency: true,

  async send(connection, message, deps) {
    const email = checkEmail(message);
    if (!("from" in email)) return { kind: "not_sent", ...email };
    const body = JSON.stringify(emailOf(email, message));
    const tooLarge = sizeProblem(Buffer.byteLength(body), MAX_BYTES, "Resend");
    if (tooLarge) return { kind: "not_sent", ...tooLarge };
    const request = {
      method: "POST" as const,
      url: `${apiOf(connection)}/emails`,
      headers: {
        ...headersOf(connection),
        "content-type": "application/json",
        "idempotency-key": message.idempotencyKey,
      },
      body,
    };
    const final = connection.credentials.webhookSecret === undefined;
    return sendThrough(deps, request, (answer) => sendOutcome(answer, final));
  },

  async test(connection, deps) {
    const { webhookSecret } = connection.credentials;
    if (webhookSecret !== undefined && !resendWebhook(webhookSecret)) {
      return { ok: false, problem: "The webhook's signing secret is not whsec_ and base64", unasked: true };
    }
    const request = {
      method: "GET" as const,
      url: `${apiOf(connection)}/domains`,
      headers: headersOf(connection),
    };
    return testThrough(deps, request, tested);
  },

  // An event repeats the message that it is about.
  callbackBytes: 256 * 1_024,
  parseCallback: (connection, request) => parseResendCallback(connection.credentials.webhookSecret, request),
};

function apiOf({ settings }: ResendConnection): string {
  return baseOf(settings.baseUrl, "https://api.resend.com");
}

function headersOf({ credentials }: ResendConnection): Record<string, string> {
  return { authorization: `Bearer ${credentials.apiKey}`, accept: "application/json" };
}

function emailOf(email: CheckedEmail, message: OutboundMessage): Record<string, unknown> {
  return {
    from: formatMailbox(email.from),
    to: [email.to],
    ...(email.replyTo ? { reply_to: formatMailbox(email.replyTo) } : {}),
    subject: email.subject,
    ...(email.text === undefined ? {} : { text: email.text }),
    ...(email.html === undefined ? {} : { html: email.html }),
    ...(email.headers.length === 0
      ? {}
      : { headers: Object.fromEntries(email.headers.map(({ key, value }) => [key, value])) }),
    ...(email.attachments.length === 0
      ? {}
      : {
          attachments: email.attachments.map(({ filename, contentType, content }) => ({
            filename,
            content: content.toString("base64"),
            content_type: contentType,
          })),
        }),
    tags: [{ name: NOTIFICATION_TAG, value: message.notificationId }],
  };
}

function sendOutcome(answer: OutboundResponse, final: boolean): SendOutcome {
  if (answer.status < 200 || answer.status >= 300) return resendRefusal(answer);
  const id = jsonObject(answer.body)?.id;
  return typeof id === "string" && /^[\w-]{1,200}$/.test(id)
    ? { kind: "sent", providerMessageId: id, final }
    : unreadableAnswer;
}

function tested(answer: OutboundResponse): TestResult {
  const { name, message } = resendComplaint(answer.body);
  // Resend knows the key, and lets it do nothing but send: all that is needed here.
  if (name === "restricted_api_key") {
    return {
      ok: true,
      facts: [{ label: "API key", value: "Sending access only; domains cannot be listed" }],
    };
  }
  if (answer.status === 401 || answer.status === 403 || /api key is invalid/i.test(message)) {
    return { ok: false, problem: "Resend does not accept this API key" };
  }
  const body = jsonObject(answer.body);
  if (answer.status !== 200 || !Array.isArray(body?.data)) {
    return unexpectedAnswer("Resend", answer.status, message);
  }
  const domains = objectsOf(body.data, 20).map(({ name: domain, status, region }) =>
    [domain, status, region].map((part) => providerText(textOf(part, 100) ?? "")).join(" "),
  );
  const value = domains.length === 0 ? "None: Resend delivers to your own address only" : domains.join(", ");
  return { ok: true, facts: [{ label: "Domains", value }] };
}
