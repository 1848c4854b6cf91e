import * as oauth from "oauth4webapi";
import { authorizeToConnect } from "../directory/authorize-directory.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { OutboundError } from "../kernel/outbound-http.ts";
import type { OutboundClient } from "../kernel/outbound-http.ts";
import { loadProvider } from "./load-provider.ts";
import type { Provider } from "./load-provider.ts";
import {
  authorizationAddress,
  bounds,
  callOptions,
  clientAuthentication,
  discover,
  forgetProvider,
  inTurn,
} from "./oidc-client.ts";
import type { Metadata } from "./oidc-client.ts";
import { redirectUri } from "./redirect-uri.ts";
import { providerSchema } from "./schemas.ts";
import type { ProviderInput, ProviderTest } from "./schemas.ts";
import { SignInRefused } from "./sign-in-refused.ts";

type Step = { ok: boolean; text: string };
type Options = ReturnType<typeof callOptions>;

/**
 * Asks a provider what it says of itself, for its keys, and whether it knows the client, and says plainly what is wrong. Nobody is
 * signed in. Needs every permission.
 */
export async function testProvider(
  ctx: Ctx,
  input: ProviderInput,
  http?: OutboundClient,
): Promise<ProviderTest> {
  const { id } = providerSchema.parse(input);
  authorizeToConnect(ctx);
  const provider = await loadProvider(ctx, id);
  if (!provider) throw notFound();
  // What a test finds is true from now on.
  forgetProvider(provider);
  try {
    const steps = await inTurn(ctx.tenantId, (signal) => run(provider, callOptions(signal, http)));
    return { ok: steps.every(({ ok }) => ok), steps };
  } catch (error) {
    if (!(error instanceof SignInRefused)) throw error;
    throw new DomainError("rate_limited", "Others wait for your providers. Try again in a moment.", {
      retryAfter: 5,
    });
  }
}

async function run(provider: Provider, options: Options): Promise<Step[]> {
  const steps: Step[] = [];
  const add = (ok: boolean, text: string) => steps.push({ ok, text });
  let metadata: Metadata;
  try {
    metadata = await discover(provider, options);
  } catch (error) {
    add(false, discoveryProblem(provider, error));
    return steps;
  }
  add(true, `It answers as ${metadata.issuer}.`);
  if (!authorizationAddress(provider, metadata)) {
    add(false, "It names no address (authorization_endpoint) that people could be sent to.");
  }
  if (metadata.response_types_supported && !metadata.response_types_supported.includes("code")) {
    add(false, "It does not offer the authorization code flow (response_type code).");
  }
  if (metadata.id_token_signing_alg_values_supported?.length === 0) {
    add(false, "It signs its tokens in no way that can be checked with a public key, such as RS256.");
  }
  if (steps.some(({ ok }) => !ok)) return steps;
  steps.push(await testKeys(metadata, options));
  steps.push(await testClient(provider, metadata, options));
  return steps;
}

async function testKeys(metadata: Metadata, options: Options): Promise<Step> {
  const address = metadata.jwks_uri;
  if (address === undefined || !URL.canParse(address))
    return { ok: false, text: "It names no address (jwks_uri) of its keys." };
  try {
    const fetched = options[oauth.customFetch];
    const response = await fetched?.(address, {
      method: "GET",
      headers: {},
      body: undefined,
      redirect: "manual",
      signal: signalOf(options),
    });
    const { keys } = (await response?.json()) as { keys?: unknown };
    if (!Array.isArray(keys) || keys.length === 0)
      return { ok: false, text: "The list of its keys is empty." };
    return {
      ok: true,
      text: `It publishes ${keys.length === 1 ? "one key" : `${String(keys.length)} keys`} for checking its tokens.`,
    };
  } catch (error) {
    return { ok: false, text: `Its keys at ${new URL(address).host} could not be read: ${problem(error)}` };
  }
}

const signalOf = ({ signal }: Options): AbortSignal | undefined =>
  signal instanceof AbortSignal ? signal : undefined;

/** Exchanges a code that is none: the answer tells whether the client is known. */
async function testClient(provider: Provider, metadata: Metadata, options: Options): Promise<Step> {
  const client: oauth.Client = { client_id: provider.clientId };
  const unknown = {
    ok: true,
    text: "Whether it accepts the client ID and secret shows at the first sign-in.",
  };
  try {
    const back = oauth.validateAuthResponse(
      { issuer: metadata.issuer },
      client,
      new URLSearchParams({ code: "test" }),
      oauth.expectNoState,
    );
    const response = await oauth.authorizationCodeGrantRequest(
      metadata,
      client,
      clientAuthentication(metadata, provider.clientSecret),
      back,
      redirectUri(provider.tenantId),
      oauth.generateRandomCodeVerifier(),
      options,
    );
    const { error } = (await response.json()) as { error?: unknown };
    if (error === "invalid_client" || error === "unauthorized_client") {
      return {
        ok: false,
        text: "It does not accept the client ID and secret. Copy both again; a secret may have expired.",
      };
    }
    return error === "invalid_grant" ? { ok: true, text: "It accepts the client ID and secret." } : unknown;
  } catch (error) {
    if (!(error instanceof OutboundError)) return unknown;
    return { ok: false, text: `Its address for tokens could not be reached: ${problem(error)}` };
  }
}

function discoveryProblem({ issuer }: Provider, error: unknown): string {
  const address = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Response)
    return `${address} answered ${String(cause.status)} instead of 200. Check the issuer.`;
  if (error instanceof oauth.OperationProcessingError && error.code === oauth.JSON_ATTRIBUTE_COMPARISON) {
    return `${address} says that it is another issuer. Enter the issuer exactly as your provider writes it.`;
  }
  return `${address} could not be read: ${problem(error)}`;
}

function problem(error: unknown): string {
  const [found] = [error, error instanceof Error ? error.cause : undefined].filter(
    (each) => each instanceof OutboundError,
  );
  if (found) {
    switch (found.code) {
      case "blocked":
        return "the address is not a public one, or not https.";
      case "dns_failed":
        return "its name is not known to any name server.";
      case "refused":
        return "the connection was refused.";
      case "timeout":
      case "aborted":
        return `there was no complete answer within ${String(bounds.timeoutMs / 1_000)} seconds.`;
      case "tls_failed":
        return "its certificate is not valid.";
      case "body_too_large":
        return `the answer is longer than ${String(bounds.maxBodyBytes / 1_024)} KiB.`;
      default:
        return "the connection broke off.";
    }
  }
  const name = error instanceof Error ? error.name : "";
  return name === "TimeoutError" || name === "AbortError"
    ? "there was no complete answer in time."
    : "the answer is not what OpenID Connect asks for.";
}
