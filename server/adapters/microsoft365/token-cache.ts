/**
 * Access tokens by connection: requested once for all callers that need one at the same time, and again before they expire. They
 * stay in this process's memory and never appear in an outcome, a log or an error.
 * Source: https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow
 */
import { createHash } from "node:crypto";
import { OutboundError } from "../../kernel/outbound-http.ts";
import type { OutboundResponse } from "../../kernel/outbound-http.ts";
import type { AdapterDeps, Connection, SendOutcome } from "../adapter.ts";
import { callProvider, refusedOutcome } from "../http-call.ts";
import { badCredentials, rateLimited, unavailable } from "../known-failures.ts";
import { jsonObject, providerText } from "../provider-text.ts";
import { textOf } from "../untrusted.ts";
import type { Microsoft365Credentials, Microsoft365Settings } from "./schemas.ts";

export type Microsoft365Connection = Connection<Microsoft365Credentials, Microsoft365Settings>;

/** Always `not_sent`: a message without a token has certainly not left, whatever went wrong. */
export type NoToken = SendOutcome;

const MAX_TOKENS = 1_000;
/** Renewed so long before the end, or after half of a short life. */
const MARGIN_MS = 5 * 60_000;

type Entry = { token: string; until: number };

export type TokenCache = {
  /** @param spent a token that was refused; it is not returned again */
  get: (connection: Microsoft365Connection, deps: AdapterDeps, spent?: string) => Promise<string | NoToken>;
};

export function createTokenCache(authority: (connection: Microsoft365Connection) => string): TokenCache {
  const tokens = new Map<string, Entry>();
  const asking = new Map<string, Promise<Entry | NoToken>>();

  const ask = async (
    key: string,
    connection: Microsoft365Connection,
    deps: AdapterDeps,
  ): Promise<Entry | NoToken> => {
    try {
      const entry = await askForToken(authority(connection), connection, deps);
      if ("token" in entry) {
        const [oldest] = tokens.keys();
        if (tokens.size >= MAX_TOKENS && oldest !== undefined) tokens.delete(oldest);
        tokens.set(key, entry);
      }
      return entry;
    } finally {
      asking.delete(key);
    }
  };

  return {
    get: async (connection, deps, spent) => {
      const key = keyOf(connection);
      const known = tokens.get(key);
      if (known && known.token !== spent && known.until > Date.now()) return known.token;
      let answer = asking.get(key);
      if (!answer) {
        // Without the caller's signal: others may be waiting for the same token.
        const { signal: _own, ...shared } = deps;
        answer = ask(key, connection, shared);
        asking.set(key, answer);
      }
      const entry = await answer;
      return "token" in entry ? entry.token : entry;
    },
  };
}

/** A changed secret is another key. */
function keyOf({ id, credentials, settings }: Microsoft365Connection): string {
  return createHash("sha256")
    .update(JSON.stringify([id, credentials, settings]))
    .digest("base64");
}

async function askForToken(
  authority: string,
  { credentials, settings }: Microsoft365Connection,
  deps: AdapterDeps,
): Promise<Entry | NoToken> {
  const form = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: settings.clientId,
    client_secret: credentials.clientSecret,
    scope: "https://graph.microsoft.com/.default",
  });
  let answer: OutboundResponse;
  try {
    answer = await callProvider(deps, {
      method: "POST",
      url: `${authority}/${encodeURIComponent(settings.tenantId)}/oauth2/v2.0/token`,
      headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
      body: form.toString(),
    });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const retry = error.phase === "blocked" ? "failover" : "later";
    const code = error.phase === "blocked" ? "provider_blocked" : "provider_unavailable";
    return { kind: "not_sent", retry, code, detail: `No token from Microsoft: ${error.message}` };
  }
  return tokenOf(answer) ?? refused(answer);
}

function tokenOf({ status, body }: OutboundResponse): Entry | null {
  const answer = status === 200 ? jsonObject(body) : null;
  const token = answer?.access_token;
  if (typeof token !== "string" || !/^[\x21-\x7e]{1,16384}$/.test(token)) return null;
  const lifeMs = Math.max(0, Number(answer?.expires_in) || 0) * 1_000;
  return { token, until: Date.now() + Math.max(lifeMs / 2, lifeMs - MARGIN_MS) };
}

/** Entra names the problem by a number, as in "AADSTS7000215: Invalid client secret provided. …". */
function refused(answer: OutboundResponse): NoToken {
  const body = jsonObject(answer.body);
  const words = textOf(body?.error_description, 1_000) ?? "";
  const number = /^AADSTS\d{1,10}/.exec(words)?.[0];
  const said = {
    ...(number === undefined ? {} : { providerCode: number }),
    ...(words === "" ? {} : { providerMessage: providerText(words) }),
  };
  if (answer.status === 429) return refusedOutcome(answer, said, rateLimited);
  if (answer.status < 400 || answer.status >= 500 || answer.status === 408) {
    return refusedOutcome(answer, said, {
      ...unavailable,
      detail: "Microsoft issues no token at the moment",
    });
  }
  const detail = PROBLEMS[number ?? ""] ?? "Microsoft issues no token for this app registration";
  return refusedOutcome(answer, said, { ...badCredentials, detail });
}

/** Source: https://learn.microsoft.com/entra/identity-platform/reference-error-codes */
const PROBLEMS: Record<string, string> = {
  AADSTS7000215: "The client secret is wrong: it is the value that is needed, not the secret's ID",
  AADSTS7000222: "The client secret has expired: create a new one in the app registration",
  AADSTS700016: "There is no such application in this directory: check the application (client) ID",
  AADSTS90002: "There is no such directory: check the directory (tenant) ID",
  AADSTS900023: "There is no such directory: check the directory (tenant) ID",
};
