/**
 * E-mail from mailboxes of a Microsoft 365 organisation, through Microsoft Graph. 202 is final: there are no
 * receipts.
 * Source: https://learn.microsoft.com/graph/api/user-sendmail
 */
import type { Adapter, AdapterDeps, OutboundMessage, SendOutcome, TestResult } from "../adapter.ts";
import { checkEmail, sizeProblem } from "../email-message.ts";
import type { CheckedEmail, EmailProblem, Mailbox } from "../email-message.ts";
import { baseOf, onOneClock, sendThrough, unreadableAnswer } from "../http-call.ts";
import { jsonObject } from "../provider-text.ts";
import { graphRefusal } from "./graph-errors.ts";
import { microsoft365CredentialsSchema, microsoft365SettingsSchema } from "./schemas.ts";
import type { Microsoft365Credentials, Microsoft365Settings } from "./schemas.ts";
import { createTokenCache } from "./token-cache.ts";
import type { Microsoft365Connection } from "./token-cache.ts";

/** What Graph takes in one request. */
const MAX_BYTES = 4_000_000;
const MAX_X_HEADERS = 5;
/** PidTagListUnsubscribe: Graph takes the header in no other way. Source: MS-OXPROPS 2.768 */
const LIST_UNSUBSCRIBE_PROPERTY = "String 0x1045";

export const microsoft365Adapter = createMicrosoft365Adapter();

/** Keeps its own tokens; the service uses the one above. */
export function createMicrosoft365Adapter(): Adapter<Microsoft365Credentials, Microsoft365Settings> {
  const tokens = createTokenCache(({ settings }) =>
    baseOf(settings.baseUrl, "https://login.microsoftonline.com"),
  );

  return {
    name: "microsoft365",
    label: "Microsoft 365",
    channels: ["email"],
    inbound: [],
    price: "none",
    // Where the organisation's mailboxes are, which the app registration does not say.
    regionOf: () => null,
    credentialsSchema: microsoft365CredentialsSchema,
    settingsSchema: microsoft365SettingsSchema,
    hasReceipts: () => false,
    supportsIdempotency: false,

    async send(connection, message, given) {
      const deps = onOneClock(given);
      const mail = mailOf(message, connection.settings);
      if (!("body" in mail)) return { kind: "not_sent", ...mail };
      const token = await tokens.get(connection, deps);
      if (typeof token !== "string") return token;
      const first = await post(connection, mail, token, deps);
      if (first.status !== 401) return first.outcome;
      // Certainly not sent: the token may have been revoked. A second refusal is about the application.
      const fresh = await tokens.get(connection, deps, token);
      return typeof fresh === "string" ? (await post(connection, mail, fresh, deps)).outcome : fresh;
    },

    async test(connection, deps) {
      const token = await tokens.get(connection, deps);
      if (typeof token === "string") return tested(token);
      const problem = token.kind === "sent" ? "" : token.detail;
      const busy = token.kind !== "sent" && token.code === "provider_rate_limited";
      return { ok: false, problem, ...(busy ? { reachable: true } : {}) };
    },
  };
}

type Mail = { sender: string; body: string };

async function post(
  { settings }: Microsoft365Connection,
  { sender, body }: Mail,
  token: string,
  deps: AdapterDeps,
): Promise<{ status: number; outcome: SendOutcome }> {
  const base = baseOf(settings.baseUrl, "https://graph.microsoft.com");
  const request = {
    method: "POST" as const,
    url: `${base}/v1.0/users/${encodeURIComponent(sender)}/sendMail`,
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json",
    },
    body,
  };
  let status = 0;
  const outcome = await sendThrough(deps, request, (answer) => {
    status = answer.status;
    if (status === 202) return { kind: "sent", providerMessageId: null, final: true };
    return status >= 200 && status < 300 ? unreadableAnswer : graphRefusal(answer);
  });
  return { status, outcome };
}

function mailOf(message: OutboundMessage, settings: Microsoft365Settings): Mail | EmailProblem {
  const email = checkEmail(message);
  if (!("from" in email)) return email;
  const headers = headersOf(email);
  if (!("fields" in headers)) return headers;
  const body = JSON.stringify({
    message: {
      subject: email.subject,
      // Graph takes one of the two; Exchange writes the text of an HTML message itself.
      body:
        email.html === undefined
          ? { contentType: "text", content: email.text ?? "" }
          : { contentType: "html", content: email.html },
      from: recipient(email.from),
      toRecipients: [recipient({ name: "", address: email.to })],
      ...(email.replyTo ? { replyTo: [recipient(email.replyTo)] } : {}),
      ...headers.fields,
      ...(email.attachments.length === 0
        ? {}
        : {
            attachments: email.attachments.map(({ filename, contentType, content }) => ({
              "@odata.type": "#microsoft.graph.fileAttachment",
              name: filename,
              contentType,
              contentBytes: content.toString("base64"),
            })),
          }),
    },
    saveToSentItems: settings.saveToSentItems,
  });
  return (
    sizeProblem(Buffer.byteLength(body), MAX_BYTES, "Microsoft 365") ?? { sender: email.from.address, body }
  );
}

function recipient({ name, address }: Mailbox): { emailAddress: { address: string; name?: string } } {
  return { emailAddress: { address, ...(name === "" ? {} : { name }) } };
}

/**
 * Graph allows only headers that begin with "X-", and at most five of them. List-Unsubscribe has a
 * property of its own; for the announcement that one click is enough (RFC 8058) there is none, so it is left out.
 */
function headersOf({ headers }: CheckedEmail): { fields: Record<string, unknown> } | EmailProblem {
  const own = headers.filter(({ key }) => /^x-/i.test(key));
  const listUnsubscribe = headers.find(({ key }) => key.toLowerCase() === "list-unsubscribe");
  const other = headers.find(({ key }) => !/^(x-.*|list-unsubscribe|list-unsubscribe-post)$/i.test(key));
  if (other || own.length > MAX_X_HEADERS) {
    const what = other ? `the header ${other.key}` : `more than ${MAX_X_HEADERS} headers of one's own`;
    const detail = `Microsoft 365 does not carry ${what}`;
    return { retry: "failover", code: "invalid_message", detail, unasked: true };
  }
  return {
    fields: {
      ...(own.length === 0
        ? {}
        : { internetMessageHeaders: own.map(({ key, value }) => ({ name: key, value })) }),
      ...(listUnsubscribe
        ? {
            singleValueExtendedProperties: [{ id: LIST_UNSUBSCRIBE_PROPERTY, value: listUnsubscribe.value }],
          }
        : {}),
    },
  };
}

/** The token's own claims, read without believing them: they only say what to change. Another form says nothing. */
function tested(token: string): TestResult {
  const claims = jsonObject(Buffer.from(token.split(".")[1] ?? "", "base64url"));
  if (!claims) return { ok: true };
  const roles: unknown[] = Array.isArray(claims.roles) ? (claims.roles as unknown[]) : [];
  if (roles.includes("Mail.Send")) return { ok: true, facts: [{ label: "Permission", value: "Mail.Send" }] };
  return {
    ok: false,
    reachable: true,
    problem:
      "The application has no permission to send: add the application permission Mail.Send of Microsoft Graph and grant admin consent. Rights that Exchange gives by role assignment are not visible here.",
  };
}
