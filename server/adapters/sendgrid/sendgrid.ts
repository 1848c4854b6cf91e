/**
 * E-mail through Twilio SendGrid's Web API v3.
 * Source: https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send
 */
import type { Adapter, Connection, OutboundMessage, TestResult } from "../adapter.ts";
import { ATTEMPT_TAG, NOTIFICATION_TAG } from "../callback-url.ts";
import { checkEmail, sizeProblem } from "../email-message.ts";
import type { CheckedEmail, Mailbox } from "../email-message.ts";
import { baseOf, sendThrough, testThrough, unexpectedAnswer, unreadableAnswer } from "../http-call.ts";
import { jsonObject } from "../provider-text.ts";
import { sendgridCredentialsSchema, sendgridSettingsSchema } from "./schemas.ts";
import type { SendgridCredentials, SendgridSettings } from "./schemas.ts";
import { parseSendgridCallback, sendgridKey } from "./sendgrid-callback.ts";
import { sendgridComplaint, sendgridRefusal } from "./sendgrid-errors.ts";

type SendgridConnection = Connection<SendgridCredentials, SendgridSettings>;

const HOSTS: Record<SendgridSettings["region"], string> = {
  global: "https://api.sendgrid.com",
  eu: "https://api.eu.sendgrid.com",
};
const REGIONS: Record<SendgridSettings["region"], string> = { global: "US", eu: "EU" };
const MAX_BYTES = 30_000_000;

export const sendgridAdapter: Adapter<SendgridCredentials, SendgridSettings> = {
  name: "sendgrid",
  label: "SendGrid",
  channels: ["email"],
  inbound: [],
  price: "none",
  callbackSetup:
    "In SendGrid under Settings, Mail Settings, Event Webhooks: create a webhook that posts to {url}, choose the events, switch on Signed Event Webhook and enter its verification key here.",
  regionOf: (settings) => REGIONS[settings.region],
  credentialsSchema: sendgridCredentialsSchema,
  settingsSchema: sendgridSettingsSchema,
  refusedSettings,
  hasReceipts: () => true,
  supportsIdempotency: false,

  async send(connection, message, deps) {
    const email = checkEmail(message);
    if (!("from" in email)) return { kind: "not_sent", ...email };
    const body = JSON.stringify(mailOf(email, message));
    const tooLarge = sizeProblem(Buffer.byteLength(body), MAX_BYTES, "SendGrid");
    if (tooLarge) return { kind: "not_sent", ...tooLarge };
    const request = {
      method: "POST" as const,
      url: `${apiOf(connection)}/v3/mail/send`,
      headers: { ...headersOf(connection), "content-type": "application/json" },
      body,
    };
    return sendThrough(deps, request, (answer) => {
      // 200 is its answer to a message that was only validated.
      if (answer.status >= 200 && answer.status < 300 && answer.status !== 202) return unreadableAnswer;
      if (answer.status !== 202) return sendgridRefusal(answer);
      const id = answer.headers["x-message-id"];
      return {
        kind: "sent",
        providerMessageId: id !== undefined && /^[\w.-]{1,200}$/.test(id) ? id : null,
        final: connection.settings.verificationKey === undefined,
      };
    });
  },

  async test(connection, deps) {
    const request = {
      method: "GET" as const,
      url: `${apiOf(connection)}/v3/scopes`,
      headers: headersOf(connection),
    };
    const result = await testThrough(deps, request, ({ status, body }) => tested(status, body));
    const [refused] = refusedSettings(connection.settings);
    return result.ok && refused ? { ok: false, problem: refused.message, reachable: true } : result;
  },

  // Events come in batches.
  callbackBytes: 1_024 * 1_024,
  parseCallback: (connection, request) => parseSendgridCallback(connection.settings.verificationKey, request),
};

/** Messages are sent all the same, but no event would be believed. */
function refusedSettings({ verificationKey }: SendgridSettings): { path: string; message: string }[] {
  return verificationKey === undefined || sendgridKey(verificationKey)
    ? []
    : [
        {
          path: "verificationKey",
          message: "The event webhook's verification key is not a P-256 public key",
        },
      ];
}

function apiOf({ settings }: SendgridConnection): string {
  return baseOf(settings.baseUrl, HOSTS[settings.region]);
}

function headersOf({ credentials }: SendgridConnection): Record<string, string> {
  return { authorization: `Bearer ${credentials.apiKey}`, accept: "application/json" };
}

function mailOf(email: CheckedEmail, message: OutboundMessage): Record<string, unknown> {
  return {
    personalizations: [
      {
        to: [{ email: email.to }],
        custom_args: {
          [NOTIFICATION_TAG]: message.notificationId,
          [ATTEMPT_TAG]: String(message.attempt),
        },
      },
    ],
    from: addressOf(email.from),
    ...(email.replyTo ? { reply_to: addressOf(email.replyTo) } : {}),
    subject: email.subject,
    // Text first: SendGrid wants the parts from plain to rich.
    content: [
      ...(email.text === undefined ? [] : [{ type: "text/plain", value: email.text }]),
      ...(email.html === undefined ? [] : [{ type: "text/html", value: email.html }]),
    ],
    ...(email.headers.length === 0
      ? {}
      : { headers: Object.fromEntries(email.headers.map(({ key, value }) => [key, value])) }),
    ...(email.attachments.length === 0
      ? {}
      : {
          attachments: email.attachments.map(({ filename, contentType, content }) => ({
            content: content.toString("base64"),
            type: contentType,
            filename,
            disposition: "attachment",
          })),
        }),
  };
}

function addressOf({ name, address }: Mailbox): { email: string; name?: string } {
  return { email: address, ...(name === "" ? {} : { name }) };
}

function tested(status: number, body: Buffer): TestResult {
  if (status === 401) return { ok: false, problem: "SendGrid does not accept this API key" };
  const scopes = jsonObject(body)?.scopes;
  if (status !== 200 || !Array.isArray(scopes)) {
    const { message } = sendgridComplaint(body);
    return unexpectedAnswer("SendGrid", status, message);
  }
  if (!scopes.includes("mail.send")) {
    return {
      ok: false,
      problem: "The API key may not send: give it the permission Mail Send in SendGrid under API Keys",
    };
  }
  return { ok: true };
}
