import { environment } from "./environment.ts";
import { WebhookVerificationError } from "./errors.ts";
import type { WebhookEvent as KnownWebhookEvent } from "./schema.ts";

/**
 * An event that this version of the client does not know. `event` is its name; the type has one value in place of all others, because
 * TypeScript tells a union apart by single values only.
 */
export interface UnknownWebhookEvent {
  event: "(an event of a later version)";
  timestamp: string;
  data: Record<string, unknown>;
  signature: string;
}

/** What is posted to a webhook endpoint: a union told apart by `event`. */
export type WebhookEvent = KnownWebhookEvent | UnknownWebhookEvent;

export type WebhookHeaders =
  Headers | Readonly<Record<string, string | readonly string[] | undefined>> | Iterable<[string, string]>;

export interface VerifyOptions {
  /** How old a webhook may be, and how far ahead its clock, in seconds; default 300. */
  tolerance?: number;
  /** For tests; the current time without it. */
  now?: Date;
}

const prefix = "whsec_";

function readHeaders(headers: WebhookHeaders): (name: string) => string | undefined {
  if (headers instanceof Headers) return (name) => headers.get(name) ?? undefined;
  const entries = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  const found = new Map(entries.map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => {
    const value = found.get(name);
    return typeof value === "string" ? value : value?.[0];
  };
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

const refused = (detail: string) =>
  new WebhookVerificationError({ status: 0, code: "invalid_webhook", detail });

/**
 * Verifies a webhook by its headers `webhook-id`, `webhook-timestamp` and `webhook-signature` (Standard Webhooks).
 * @param body the body as it came: parsed and written again it would have another signature
 * @param secret the endpoint's signing secret (`whsec_…`), or several while you rotate it; `TIDINGS_WEBHOOK_SECRET` without it
 * @throws WebhookVerificationError when it is not authentic or too old
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[] | undefined = environment("TIDINGS_WEBHOOK_SECRET"),
  { tolerance = 300, now = new Date() }: VerifyOptions = {},
): Promise<void> {
  const header = readHeaders(headers);
  const [id, timestamp, signatures] = [
    header("webhook-id"),
    header("webhook-timestamp"),
    header("webhook-signature"),
  ];
  if (!id || !timestamp || !signatures)
    throw refused("The headers webhook-id, webhook-timestamp and webhook-signature are needed");
  if (!/^\d{1,12}$/.test(timestamp)) throw refused("webhook-timestamp is not a time");
  if (Math.abs(now.getTime() / 1_000 - Number(timestamp)) > tolerance)
    throw refused("The webhook is too old, or the clock of this machine is wrong");
  const encoder = new TextEncoder();
  const start = encoder.encode(`${id}.${timestamp}.`);
  const content = typeof body === "string" ? encoder.encode(body) : body;
  const signed = new Uint8Array(start.length + content.length);
  signed.set(start);
  signed.set(content, start.length);
  // With each of the current and the previous secret, for a day after a rotation.
  const given = signatures
    .split(" ")
    .slice(0, 16)
    .filter((each) => each.startsWith("v1,"))
    .map((each) => fromBase64(each.slice(3)))
    .filter((each) => each !== undefined);
  const secrets = typeof secret === "string" ? [secret] : (secret ?? []);
  if (secrets.length === 0)
    throw refused("There is no signing secret to verify with. Pass it, or set TIDINGS_WEBHOOK_SECRET");
  for (const each of secrets) {
    const bytes = fromBase64(each.startsWith(prefix) ? each.slice(prefix.length) : each);
    if (!bytes?.length) throw refused("The signing secret is not one: it begins with whsec_");
    const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, [
      "verify",
    ]);
    // WebCrypto compares in constant time.
    for (const signature of given) if (await crypto.subtle.verify("HMAC", key, signature, signed)) return;
  }
  throw refused("No signature fits. Check the signing secret, and that the body is verified as it came");
}

/** Verifies a webhook as `verifyWebhook` does, and answers its event. Fields and events that are new pass. */
export async function unwrapWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret?: string | readonly string[],
  options?: VerifyOptions,
): Promise<WebhookEvent> {
  await verifyWebhook(body, headers, secret, options);
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  try {
    return JSON.parse(text) as WebhookEvent;
  } catch (error) {
    throw new WebhookVerificationError({
      status: 0,
      code: "invalid_webhook",
      detail: "The body is not JSON",
      cause: error,
    });
  }
}
