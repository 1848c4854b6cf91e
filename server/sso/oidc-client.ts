/**
 * OpenID Connect towards a provider that an organisation has named: everything in it may be hostile. Each call goes through the
 * guarded client, bounded in time and size; the protocol is oauth4webapi's.
 */
import * as oauth from "oauth4webapi";
import { providerHttp } from "../connections/provider-http.ts";
import { ttlCache } from "../kernel/cache.ts";
import { Counts } from "../kernel/counts.ts";
import { outboundFetch } from "../kernel/outbound-fetch.ts";
import type { OutboundClient } from "../kernel/outbound-http.ts";
import type { Provider } from "./load-provider.ts";
import { SignInRefused } from "./sign-in-refused.ts";
import type { Claims } from "./verified-address.ts";

/** Bounds of one call, and of all calls of one sign-in. */
export const bounds = { connectTimeoutMs: 3_000, timeoutMs: 6_000, maxBodyBytes: 128 * 1_024 };
const wholeMs = 10_000;
/** Sign-ins that may wait for providers at once: of one organisation, and in this process. */
export const waiting = { ofOne: 8, all: 64 };

/** Signatures with a key that the provider publishes; never one with a secret that both sides have, and never none. */
const algorithms = [
  "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519",
]; // prettier-ignore

export type Metadata = oauth.AuthorizationServer;

/** What a provider says of itself, and with it the keys that it publishes: asked for again after ten minutes. */
const known = ttlCache<Metadata>({ name: "identity provider metadata", ttlMs: 600_000, max: 200 });

/** After a change of providers: this process asks again. */
export function forgetProvider(provider: Pick<Provider, "tenantId" | "id" | "issuer">): void {
  known.forget(keyOf(provider));
}

const keyOf = ({ tenantId, id, issuer }: Pick<Provider, "tenantId" | "id" | "issuer">) =>
  `${tenantId} ${id} ${issuer}`;

const counts = new Counts();
const everybody = "all";

/** Runs what waits for a provider, if not too much of the organisation does already. */
export async function inTurn<T>(tenantId: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  if (counts.of(tenantId) >= waiting.ofOne || counts.of(everybody) >= waiting.all) {
    throw new SignInRefused("sso_busy", "too many sign-ins wait for identity providers");
  }
  for (const name of [tenantId, everybody]) counts.add(name);
  try {
    return await work(AbortSignal.timeout(wholeMs));
  } finally {
    for (const name of [tenantId, everybody]) counts.remove(name);
  }
}

type Options = oauth.HttpRequestOptions<"GET"> & oauth.HttpRequestOptions<"POST", URLSearchParams>;

/** Plain http reaches only what the operator has opened; the guarded client sees to that. */
export function callOptions(signal: AbortSignal, http: OutboundClient = providerHttp()): Options {
  return {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so that it stands out
    [oauth.allowInsecureRequests]: true,
    [oauth.customFetch]: (
      url: string,
      { method, headers, body, signal: given }: oauth.CustomFetchOptions<string, unknown>,
    ) =>
      outboundFetch(
        http,
        new URL(url).origin,
        bounds,
      )(url, {
        method,
        headers,
        ...(body instanceof URLSearchParams ? { body: body.toString() } : {}),
        ...(given ? { signal: given } : {}),
      }),
    signal,
  };
}

/** What a provider says of itself; rejects as oauth4webapi does. */
export async function discover(provider: Pick<Provider, "issuer">, options: Options): Promise<Metadata> {
  const issuer = new URL(provider.issuer);
  const response = await oauth.discoveryRequest(issuer, { ...options, algorithm: "oidc" });
  const metadata = await oauth.processDiscoveryResponse(issuer, response);
  const offered = metadata.id_token_signing_alg_values_supported;
  return {
    ...metadata,
    id_token_signing_alg_values_supported: offered?.filter((each) => algorithms.includes(each)) ?? ["RS256"],
  };
}

/** The same from the cache. */
export async function metadataOf(provider: Provider, options: Options): Promise<Metadata> {
  const found = await known.get(keyOf(provider), () => discover(provider, options));
  if (!found) throw new Error("discovery came to nothing");
  return found;
}

/** Where a provider takes people, if it says an address that a browser may be sent to. */
export function authorizationAddress(
  provider: Pick<Provider, "issuer">,
  metadata: Metadata,
): URL | undefined {
  const address = metadata.authorization_endpoint ?? "";
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  const allowed = new URL(provider.issuer).protocol === "http:" ? ["http:", "https:"] : ["https:"];
  return allowed.includes(url.protocol) && url.username + url.password === "" ? url : undefined;
}

/**
 * How this client proves itself: in the body where the provider takes that, else in the header. Not every provider decodes what RFC
 * 6749 wants encoded in the header.
 */
export function clientAuthentication(metadata: Metadata, secret: string): oauth.ClientAuth {
  const inBody = metadata.token_endpoint_auth_methods_supported?.includes("client_secret_post") === true;
  return inBody ? oauth.ClientSecretPost(secret) : oauth.ClientSecretBasic(secret);
}

/** What a browser was sent away with. */
export interface Flow {
  state: string;
  nonce: string;
  verifier: string;
}

export const newFlow = (): Flow => ({
  state: oauth.generateRandomState(),
  nonce: oauth.generateRandomNonce(),
  verifier: oauth.generateRandomCodeVerifier(),
});

/** The address that a browser leaves for. */
export async function leavingAddress(
  provider: Provider,
  metadata: Metadata,
  flow: Flow,
  more: { redirectUri: string; email?: string | undefined },
): Promise<string> {
  const url = authorizationAddress(provider, metadata);
  if (!url) throw new SignInRefused("sso_failed", "the provider names no address for browsers");
  const parameters = {
    client_id: provider.clientId,
    redirect_uri: more.redirectUri,
    response_type: "code",
    scope: provider.scopes,
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: "S256",
    ...(more.email ? { login_hint: more.email } : {}),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/**
 * Exchanges what a browser came back with for what the provider says of the person: state, issuer (RFC 9207), and of the ID token
 * signature, issuer, audience, authorised party, times and nonce are checked. Claims that are asked for and stand in no ID token come
 * from the userinfo endpoint, of the same person. Rejects as oauth4webapi does.
 */
export async function exchange(
  provider: Provider,
  metadata: Metadata,
  back: URLSearchParams,
  flow: Flow & { redirectUri: string },
  wanted: { claims: readonly string[] },
  options: Options,
): Promise<Claims & { sub: string }> {
  const client: oauth.Client = { client_id: provider.clientId, [oauth.clockTolerance]: 60 };
  const authentication = clientAuthentication(metadata, provider.clientSecret);
  const parameters = oauth.validateAuthResponse(metadata, client, back, flow.state);
  const response = await oauth.authorizationCodeGrantRequest(
    metadata,
    client,
    authentication,
    parameters,
    flow.redirectUri,
    flow.verifier,
    options,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(metadata, client, response, {
    expectedNonce: flow.nonce,
    requireIdToken: true,
  });
  await oauth.validateApplicationLevelSignature(metadata, response, options);
  const claims = oauth.getValidatedIdTokenClaims(tokens);
  if (!claims) throw new SignInRefused("sso_failed", "there was no ID token");
  if (claims.azp !== undefined && claims.azp !== provider.clientId) {
    throw new SignInRefused("sso_failed", "the ID token was made for another party");
  }
  if (Math.abs(Date.now() / 1_000 - claims.iat) > 600) {
    throw new SignInRefused("sso_failed", "the ID token was not made just now");
  }
  const missing = wanted.claims.some((name) => claims[name] === undefined);
  // Entra's userinfo says nothing that could be trusted more.
  if (!missing || provider.kind === "entra" || metadata.userinfo_endpoint === undefined) return claims;
  const answer = await oauth.userInfoRequest(metadata, client, tokens.access_token, options);
  const more = await oauth.processUserInfoResponse(metadata, client, claims.sub, answer);
  return { ...more, ...claims };
}
