import { setTimeout as pause } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { DomainError } from "../kernel/errors.ts";
import type { OutboundClient } from "../kernel/outbound-http.ts";
import { Semaphore } from "../kernel/semaphore.ts";
import { Shares } from "../kernel/shares.ts";
import { openSecret } from "./shortener.ts";
import type { Shortener } from "./shortener.ts";
import { callService } from "./services.ts";
import type { LinkProblemCode, ServiceAccount, ServiceAnswer } from "./services.ts";
import type { ServiceKind } from "./vocabulary.ts";

/** How long a message waits for all of its short links together, ms. */
export const patienceMs = 3_000;
/** Bitly takes five connections from one address; the same for the others. */
const callsAtOnce = 5;
/** Of one organisation, so that one with many addresses leaves a connection to the others. */
const callsOfOne = 4;
const rateLimitWaitMs = 500;

/** For how long a service is left alone after a failure, ms; meanwhile messages go out with long addresses at once. */
const cooldownMs: Readonly<Partial<Record<LinkProblemCode, number>>> = {
  shortener_credentials: 60_000,
  shortener_limit_reached: 60_000,
  shortener_rate_limited: 10_000,
  shortener_timeout: 10_000,
  shortener_unavailable: 10_000,
  shortener_answer_unreadable: 10_000,
};

/**
 * One link for all messages of an environment with the same address: services count links, and return the same one
 * anyway.
 */
const shortened = new LRUCache<string, { shortUrl: string }>({ max: 20_000, ttl: 3_600_000 });
const underWay = new Map<string, Promise<ServiceAnswer>>();
const coolingDown = new LRUCache<string, { until: number; code: LinkProblemCode }>({ max: 2_000 });
const slots = new LRUCache<string, Semaphore>({ max: 500, memoMethod: () => new Semaphore(callsAtOnce) });
const turns = new Shares(callsOfOne, patienceMs);

/**
 * A short link by an external service, or why there is none, by `deadline` (epoch ms) at the latest. Equal addresses of
 * an environment share a link until the shortener's settings change.
 */
export async function shortenByService(
  shortener: Shortener & { kind: ServiceKind },
  url: string,
  deps: { http: OutboundClient; deadline: number },
): Promise<ServiceAnswer> {
  const scope = `${shortener.tenantId} ${shortener.environmentId} ${String(shortener.updatedAt?.getTime())}`;
  const key = `${scope} ${url}`;
  const before = shortened.get(key);
  if (before) return { ok: true, shortUrl: before.shortUrl };
  const cooldown = coolingDown.get(scope);
  if (cooldown && cooldown.until > Date.now()) return { ok: false, code: cooldown.code };
  let call = underWay.get(key);
  if (!call) {
    call = ask(shortener, url, deps)
      .then((answer) => {
        if (answer.ok) shortened.set(key, { shortUrl: answer.shortUrl });
        else {
          const ms = answer.retryAfterMs ?? cooldownMs[answer.code];
          if (ms !== undefined) coolingDown.set(scope, { until: Date.now() + ms, code: answer.code });
        }
        return answer;
      })
      .finally(() => underWay.delete(key));
    underWay.set(key, call);
  }
  return call;
}

async function ask(
  shortener: Shortener & { kind: ServiceKind },
  url: string,
  deps: { http: OutboundClient; deadline: number },
): Promise<ServiceAnswer> {
  const secret = openSecret(shortener);
  if (secret === null) return { ok: false, code: "shortener_credentials" };
  const { tenantId, kind, domain, account, baseUrl } = shortener;
  const to: ServiceAccount = { kind, secret, domain, account, baseUrl };
  const service = `${kind} ${baseUrl ?? ""}`;
  try {
    return await turns.run(`${tenantId} ${service}`, () => askInTurn(service, to, url, deps));
  } catch (error) {
    if (error instanceof DomainError) return { ok: false, code: "shortener_timeout" };
    throw error;
  }
}

async function askInTurn(
  service: string,
  to: ServiceAccount,
  url: string,
  deps: { http: OutboundClient; deadline: number },
): Promise<ServiceAnswer> {
  const patience = AbortSignal.timeout(Math.max(0, deps.deadline - Date.now()));
  const leave = await slots
    .memo(service)
    .acquire(patience)
    .catch(() => null);
  if (!leave) return { ok: false, code: "shortener_timeout" };
  try {
    const once = () => callService(to, url, { http: deps.http, timeoutMs: deps.deadline - Date.now() });
    const answer = await once();
    if (answer.ok || answer.code !== "shortener_rate_limited") return answer;
    const wait = answer.retryAfterMs ?? rateLimitWaitMs;
    if (Date.now() + 2 * wait >= deps.deadline) return answer;
    await pause(wait);
    return await once();
  } finally {
    leave();
  }
}
