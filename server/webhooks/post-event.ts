import { LRUCache } from "lru-cache";
import { OutboundError } from "../kernel/outbound-http.ts";
import type { OutboundClient } from "../kernel/outbound-http.ts";
import { env } from "../kernel/env.ts";
import { traceparentOf } from "../kernel/trace-context.ts";
import type { TraceContext } from "../kernel/trace-context.ts";
import { eventData, signedBody, webhookHeaders } from "./body.ts";
import { checkEventData } from "./event-schemas.ts";
import type { StoredDelivery } from "./delivery-queries.ts";
import { parseRetryAfter } from "./retry-schedule.ts";
import { oldSecretsAt, openSigningSecret } from "./signing-secret.ts";

/** The result of one attempt. */
export interface PostOutcome {
  /** 2xx */
  ok: boolean;
  /** Null: no complete answer. */
  status: number | null;
  error: string | null;
  responseBody: string | null;
  /** The receiver's Retry-After, ms. */
  retryAfter: number | null;
  /** The headers webhook-signature and traceparent as sent. */
  signature: string;
  traceparent: string | null;
}

const connectTimeoutMs = 5_000;
const timeoutMs = 15_000;
const maxAnswerBytes = 65_536;
const keptAnswerBytes = 2_048;

/**
 * Decrypted secrets, so that not every attempt has to decrypt them; keyed by the sealed ones, so that a rotation takes
 * effect at once.
 */
const opened = new LRUCache<string, string>({ max: 10_000, ttl: 60_000, ttlAutopurge: true });

function openCached(owed: StoredDelivery, box: Buffer): string {
  const key = `${owed.endpointId} ${box.toString("base64")}`;
  let secret = opened.get(key);
  if (secret === undefined) {
    secret = openSigningSecret(owed.tenantId, owed.dataKey, owed.endpointId, box);
    opened.set(key, secret);
  }
  return secret;
}

/** The valid secrets of a delivery's endpoint, the current one first. */
function validSecrets(owed: StoredDelivery, now: Date): [string, ...string[]] {
  const { endpoint } = owed;
  if (!endpoint) throw new Error("a delivery without its endpoint has no secret");
  const { previousSecret, previousSecretExpiresAt: until } = endpoint;
  // The newest of the old ones is valid for longest.
  const overlaps = previousSecret && until && until > now;
  const old = overlaps ? oldSecretsAt(openCached(owed, previousSecret), until, now) : [];
  return [openCached(owed, endpoint.secret), ...old.map(({ secret }) => secret)];
}

/**
 * Makes one attempt: signs and posts. Never throws because of a receiver.
 * @param trace goes along as `traceparent`, so that the receiver's own spans join the message's trace
 */
export async function postEvent(
  outbound: OutboundClient,
  owed: StoredDelivery & {
    endpoint: NonNullable<StoredDelivery["endpoint"]>;
    content: NonNullable<StoredDelivery["content"]>;
  },
  now: Date,
  trace?: TraceContext,
): Promise<PostOutcome> {
  const secrets = validSecrets(owed, now);
  if (env().nodeEnv !== "production") checkEventData(owed.content.event, eventData(owed.content));
  const body = signedBody(owed.content, secrets[0]);
  const traceparent = trace ? traceparentOf(trace) : null;
  const headers = webhookHeaders(owed.id, now, body, secrets, traceparent);
  const sent = { signature: headers["webhook-signature"], traceparent };
  try {
    const answer = await outbound.request({
      method: "POST",
      url: owed.endpoint.url,
      headers,
      body,
      connectTimeoutMs,
      timeoutMs,
      maxBodyBytes: maxAnswerBytes,
      onBodyLimit: "truncate",
    });
    const ok = answer.status >= 200 && answer.status < 300;
    return {
      ok,
      status: answer.status,
      error: ok ? null : refusal(answer.status),
      responseBody: textOf(answer.body),
      retryAfter: ok ? null : parseRetryAfter(answer.headers["retry-after"], now),
      ...sent,
    };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return {
      ok: false,
      status: null,
      error: `${error.phase}: ${error.message}`,
      responseBody: null,
      retryAfter: null,
      ...sent,
    };
  }
}

function refusal(status: number): string {
  if (status >= 300 && status < 400)
    return `The endpoint answered ${String(status)}; redirects are not followed`;
  return `The endpoint answered ${String(status)}`;
}

/** The beginning of an answer as text that Postgres can store. */
function textOf(body: Buffer): string | null {
  if (body.length === 0) return null;
  return body.subarray(0, keptAnswerBytes).toString().replaceAll("\u0000", "\uFFFD");
}
