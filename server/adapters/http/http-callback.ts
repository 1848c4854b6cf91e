/** What a provider posts to the callback address: one status, as JSON, as XML, as a form or in the query. */
import { createHmac } from "node:crypto";
import type { CallbackRequest, CallbackResult, Connection, OutboundMessage, Receipt } from "../adapter.ts";
import { callbackUrlFor, signedCallbackUrlFor, signedNotificationOf } from "../callback-url.ts";
import type { NotificationReference } from "../callback-url.ts";
import { sameText } from "../../kernel/same-secret.ts";
import { textOf } from "../untrusted.ts";
import { decodeText } from "./answer-text.ts";
import { parseLines } from "./http-settings.ts";
import { parseExactJson, readJsonText } from "./json-path.ts";
import { StructuredText, isXmlPath } from "./read-answer.ts";
import type { HttpCredentials, HttpSettings } from "./schemas.ts";

const MAX_BODY_BYTES = 65_536;

type HttpConnection = Connection<HttpCredentials, HttpSettings>;

/** The address that a message's receipts come to: signed, so that it cannot be used to report about another message. */
export function receiptAddress(
  { credentials: { callbackSecret } }: HttpConnection,
  message: Pick<OutboundMessage, "callbackUrl" | "notificationId" | "attempt">,
): string {
  return callbackSecret === undefined
    ? callbackUrlFor(message)
    : signedCallbackUrlFor(message, callbackSecret);
}

/** Whether the body has the provider's signature in this header, in hexadecimal or base64. */
function isSigned(secret: string, header: string, { headers, rawBody }: CallbackRequest): boolean {
  const given = (headers[header.toLowerCase()] ?? "").replace(/^sha256=/i, "").trim();
  const digest = createHmac("sha256", secret).update(rawBody).digest();
  return sameText(given.toLowerCase(), digest.toString("hex")) || sameText(given, digest.toString("base64"));
}

/** Which message an authentic request is about, as far as its address says so; null for one that proves nothing. */
function provenReference(
  { credentials, settings }: HttpConnection,
  request: CallbackRequest,
): NotificationReference | null {
  const secret = credentials.callbackSecret;
  if (secret === undefined) return null;
  const named = signedNotificationOf(request, secret);
  if (settings.receiptSignatureHeader !== undefined) {
    // The provider's signature covers the body alone: what the address says counts only with our own.
    return isSigned(secret, settings.receiptSignatureHeader, request) ? (named ?? {}) : null;
  }
  if (named) return named;
  return sameText(URL.parse(request.url)?.searchParams.get("token") ?? "", secret) ? {} : null;
}

export function parseHttpCallback(connection: HttpConnection, request: CallbackRequest): CallbackResult {
  const { settings } = connection;
  if (settings.receiptStatusPath === undefined || request.rawBody.length > MAX_BODY_BYTES)
    return { authentic: false };
  const about = provenReference(connection, request);
  if (!about) return { authentic: false };
  const read = readerOf(request, settings.receiptSignatureHeader !== undefined);
  const word = read(settings.receiptStatusPath);
  const meaning = word === undefined ? undefined : parseLines(settings.receiptStatuses, "=")?.get(word);
  const id = settings.receiptIdPath === undefined ? undefined : textOf(read(settings.receiptIdPath), 255);
  if (word === undefined || !isStatus(meaning) || (id === undefined && about.notificationId === undefined))
    return { authentic: true, receipts: [], inbound: [] };
  const receipt: Receipt = {
    ...about,
    ...(id === undefined ? {} : { providerMessageId: id }),
    status: meaning,
    ...(meaning === "failed"
      ? {
          code: "undelivered",
          detail: "The provider reports that the message was not delivered",
          providerCode: word.slice(0, 64),
        }
      : {}),
  };
  return { authentic: true, receipts: [receipt], inbound: [] };
}

function isStatus(word: string | undefined): word is "sent" | "delivered" | "failed" {
  return word === "sent" || word === "delivered" || word === "failed";
}

/**
 * Reads values by their paths: out of XML, out of JSON, or of the fields of a form or of the query.
 * @param bodyOnly the provider did not sign the query
 */
function readerOf(request: CallbackRequest, bodyOnly: boolean): (path: string) => string | undefined {
  const text = decodeText(request.rawBody, request.headers["content-type"]);
  const structure = new StructuredText(text);
  let fields: unknown;
  return (path) => {
    if (isXmlPath(path)) return structure.read(path);
    fields ??= fieldsOf(text, request.url, bodyOnly);
    return readJsonText(fields, path);
  };
}

function fieldsOf(text: string, url: string, bodyOnly: boolean): unknown {
  if (text.trim() === "" && !bodyOnly) return Object.fromEntries(URL.parse(url)?.searchParams ?? []);
  return parseExactJson(text) ?? Object.fromEntries(new URLSearchParams(text));
}
