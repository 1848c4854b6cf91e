/** What a provider posts to the callback address: one status, as JSON, as a form or in the query. */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { CallbackRequest, CallbackResult, Connection, OutboundMessage, Receipt } from "../adapter.ts";
import { callbackUrlFor, notificationOf } from "../callback-url.ts";
import { parseLines } from "./http-settings.ts";
import { readJsonText } from "./json-path.ts";
import type { HttpCredentials, HttpSettings } from "./schemas.ts";

const MAX_BODY_BYTES = 65_536;

type HttpConnection = Connection<HttpCredentials, HttpSettings>;

/** Opens the receipts of one message over one connection: whoever learns it can say nothing about another. */
function messageToken(secret: string, connectionId: string, message: string): string {
  return createHmac("sha256", secret).update(`${connectionId} ${message}`).digest("hex");
}

/** The address that a message's receipts come to; where no header signs them it carries a token. */
export function receiptAddress(
  { id, credentials, settings }: HttpConnection,
  message: Pick<OutboundMessage, "callbackUrl" | "notificationId" | "attempt">,
): string {
  const url = callbackUrlFor(message);
  if (credentials.callbackSecret === undefined || settings.receiptSignatureHeader !== undefined) return url;
  const token = messageToken(
    credentials.callbackSecret,
    id,
    `${message.notificationId} ${String(message.attempt)}`,
  );
  return `${url}&token=${token}`;
}

/** Compared in constant time, whatever the lengths. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

function isAuthentic({ id, credentials, settings }: HttpConnection, request: CallbackRequest): boolean {
  const secret = credentials.callbackSecret;
  if (secret === undefined) return false;
  const header = settings.receiptSignatureHeader?.toLowerCase();
  if (header !== undefined) {
    const given = (request.headers[header] ?? "").replace(/^sha256=/i, "").trim();
    const hmac = createHmac("sha256", secret).update(request.rawBody).digest();
    const hex = /^[0-9a-f]{64}$/i.test(given);
    return isSame(hex ? given.toLowerCase() : given, hex ? hmac.toString("hex") : hmac.toString("base64"));
  }
  const token = URL.parse(request.url)?.searchParams.get("token") ?? "";
  const { notificationId, attempt } = notificationOf(request);
  if (notificationId !== undefined && attempt !== undefined)
    return isSame(token, messageToken(secret, id, `${notificationId} ${String(attempt)}`));
  return isSame(token, secret);
}

export function parseHttpCallback(connection: HttpConnection, request: CallbackRequest): CallbackResult {
  const { settings } = connection;
  if (settings.receiptStatusPath === undefined || request.rawBody.length > MAX_BODY_BYTES)
    return { authentic: false };
  if (!isAuthentic(connection, request)) return { authentic: false };
  const said = contentOf(request);
  const word = readJsonText(said, settings.receiptStatusPath);
  const meaning = word === undefined ? undefined : parseLines(settings.receiptStatuses, "=")?.get(word);
  const id = settings.receiptIdPath === undefined ? undefined : readJsonText(said, settings.receiptIdPath);
  const about = notificationOf(request);
  if (word === undefined || !isStatus(meaning) || (!id && about.notificationId === undefined))
    return { authentic: true, receipts: [], inbound: [] };
  const receipt: Receipt = {
    ...about,
    ...(id ? { providerMessageId: id.slice(0, 255) } : {}),
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

/** JSON, or the fields of a form or of the query. */
function contentOf(request: CallbackRequest): unknown {
  const text = request.rawBody.toString("utf8");
  if (text.trim() === "") return Object.fromEntries(URL.parse(request.url)?.searchParams ?? []);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return Object.fromEntries(new URLSearchParams(text));
  }
}
