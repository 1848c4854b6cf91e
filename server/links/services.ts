/**
 * External shorteners: one request each, and what their answers mean. Sources:
 * https://dev.bitly.com/api-reference/#createBitlink (also its rate limits: RATE_LIMIT_EXCEEDED passes,
 * API_USAGE_LIMIT_EXCEEDED is the plan's month), https://tinyurl.com/app/dev,
 * https://developers.rebrandly.com/docs/create-a-new-link
 */
import { jsonObject, retryAfterMs } from "../adapters/provider-text.ts";
import { OutboundError } from "../kernel/outbound-http.ts";
import type { OutboundClient, OutboundResponse } from "../kernel/outbound-http.ts";
import { trimTrailing } from "../kernel/trim-trailing.ts";
import { isWebUrl } from "../template-language/variables.ts";
import { serviceNames } from "./vocabulary.ts";
import type { ServiceKind } from "./vocabulary.ts";

/** An account at a service. */
export interface ServiceAccount {
  kind: ServiceKind;
  secret: string;
  domain: string | null;
  account: string | null;
  baseUrl: string | null;
}

export const linkProblemCodes = [
  "shortener_credentials",
  "shortener_limit_reached",
  "shortener_rate_limited",
  "shortener_refused",
  "shortener_timeout",
  "shortener_unavailable",
  "shortener_answer_unreadable",
  "region_not_allowed",
] as const;
export type LinkProblemCode = (typeof linkProblemCodes)[number];

/** Why an address stayed long, in our words: the service's own could contain the address. */
export function describeProblem(code: LinkProblemCode, kind: ServiceKind): string {
  const service = serviceNames[kind];
  switch (code) {
    case "shortener_credentials":
      return `${service} does not accept the credentials of this environment's shortener.`;
    case "shortener_limit_reached":
      return `The account at ${service} has used up its limit.`;
    case "shortener_rate_limited":
      return `${service} takes no more requests for now.`;
    case "shortener_refused":
      return `${service} refuses to shorten the address; its domain or account may be wrong.`;
    case "shortener_timeout":
      return `${service} did not answer in time.`;
    case "shortener_unavailable":
      return `${service} cannot be reached or has a fault.`;
    case "shortener_answer_unreadable":
      return `${service} answered with something that is no short link.`;
    case "region_not_allowed":
      return `${service} processes data in a region that the organisation does not allow.`;
  }
}

export type ServiceAnswer =
  { ok: true; shortUrl: string } | { ok: false; code: LinkProblemCode; retryAfterMs?: number };

interface Service {
  base: string;
  path: string;
  headers: (account: ServiceAccount) => Record<string, string>;
  body: (account: ServiceAccount, url: string) => Record<string, unknown>;
  /** Reads the short link from the answer. */
  read: (answer: Record<string, unknown>) => unknown;
}

const bearer = (account: ServiceAccount) => ({ authorization: `Bearer ${account.secret}` });

const services: Readonly<Record<ServiceKind, Service>> = {
  bitly: {
    base: "https://api-ssl.bitly.com",
    path: "/v4/shorten",
    headers: bearer,
    body: ({ domain, account }, url) => ({
      long_url: url,
      ...(domain ? { domain } : {}),
      ...(account ? { group_guid: account } : {}),
    }),
    read: (answer) => answer.link,
  },
  tinyurl: {
    base: "https://api.tinyurl.com",
    path: "/create",
    headers: bearer,
    body: ({ domain }, url) => ({ url, ...(domain ? { domain } : {}) }),
    read: (answer) => (answer.data as { tiny_url?: unknown } | null | undefined)?.tiny_url,
  },
  rebrandly: {
    base: "https://api.rebrandly.com",
    path: "/v1/links",
    headers: ({ secret, account }) => ({ apikey: secret, ...(account ? { workspace: account } : {}) }),
    body: ({ domain }, url) => ({ destination: url, ...(domain ? { domain: { fullName: domain } } : {}) }),
    // Without a scheme; `https` says whether the domain has a certificate.
    read: ({ shortUrl, https }) =>
      typeof shortUrl === "string" && !/^https?:/.test(shortUrl)
        ? `${https === false ? "http" : "https"}://${shortUrl}`
        : shortUrl,
  },
};

/** The longest short link that is accepted: it fits into one segment beside some words. */
const maxShortUrl = 100;

/** Requests one short link from a service. Never rejects because of the service or the network. */
export async function callService(
  account: ServiceAccount,
  url: string,
  deps: { http: OutboundClient; timeoutMs: number },
): Promise<ServiceAnswer> {
  const service = services[account.kind];
  let answer: OutboundResponse;
  try {
    answer = await deps.http.request({
      method: "POST",
      url: (account.baseUrl == null ? service.base : trimTrailing(account.baseUrl, "/")) + service.path,
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        ...service.headers(account),
      },
      body: JSON.stringify(service.body(account, url)),
      timeoutMs: Math.max(1, deps.timeoutMs),
      maxBodyBytes: 65_536,
    });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { ok: false, code: error.code === "timeout" ? "shortener_timeout" : "shortener_unavailable" };
  }
  const said = jsonObject(answer.body);
  if (answer.status < 200 || answer.status > 299) return refusal(answer, said);
  const shortUrl = said === null ? undefined : service.read(said);
  return typeof shortUrl === "string" && shortUrl.length <= maxShortUrl && isWebUrl(shortUrl)
    ? { ok: true, shortUrl }
    : { ok: false, code: "shortener_answer_unreadable" };
}

function refusal(answer: OutboundResponse, said: Record<string, unknown> | null): ServiceAnswer {
  switch (answer.status) {
    case 401:
    case 403:
      return { ok: false, code: "shortener_credentials" };
    case 402:
      return { ok: false, code: "shortener_limit_reached" };
    case 429: {
      if (JSON.stringify(said ?? "").includes("USAGE_LIMIT_EXCEEDED"))
        return { ok: false, code: "shortener_limit_reached" };
      const wait = retryAfterMs(answer.headers["retry-after"]);
      return {
        ok: false,
        code: "shortener_rate_limited",
        ...(wait === undefined ? {} : { retryAfterMs: wait }),
      };
    }
    default:
      return {
        ok: false,
        code: answer.status >= 400 && answer.status < 500 ? "shortener_refused" : "shortener_unavailable",
      };
  }
}
