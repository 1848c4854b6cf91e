import { systemCtx } from "../access/system-ctx.ts";
import type { Db } from "../kernel/db.ts";
import { logger } from "../kernel/log.ts";
import type { OutboundClient } from "../kernel/outbound-http.ts";
import { loadProvider } from "./load-provider.ts";
import { callOptions, inTurn, leavingAddress, metadataOf, newFlow } from "./oidc-client.ts";
import { findProvidersOf } from "./queries.ts";
import { redirectUri } from "./redirect-uri.ts";
import type { StartSignInInput } from "./schemas.ts";
import { SignInRefused } from "./sign-in-refused.ts";
import { sealJourney } from "./journey.ts";

/**
 * Sends somebody to an identity provider of the organisation that has proven the domain. Returns where to, and what their browser
 * keeps until it is back. Throws SignInRefused.
 */
export async function startSignIn(
  db: Db,
  input: StartSignInInput,
  http?: OutboundClient,
): Promise<{ url: string; kept: string }> {
  const offered = (await findProvidersOf(db, input.domain)).find(({ id }) => id === input.provider);
  if (!offered) throw new SignInRefused("sso_failed", "no such identity provider is offered for the domain");
  const { tenantId, id } = offered;
  const ctx = systemCtx(db, tenantId, "Sign-in");
  const provider = await loadProvider(ctx, id);
  if (!provider?.enabled) throw new SignInRefused("sso_failed", "the identity provider is switched off");
  const flow = newFlow();
  const url = await inTurn(tenantId, async (signal) => {
    const metadata = await metadataOf(provider, callOptions(signal, http));
    return leavingAddress(provider, metadata, flow, {
      redirectUri: redirectUri(tenantId),
      email: input.email,
    });
  }).catch((error: unknown) => {
    if (error instanceof SignInRefused) throw error;
    logger().warn({ err: error, tenantId, providerId: id }, "an identity provider could not be reached");
    throw new SignInRefused("sso_unreachable", "the identity provider could not be reached", error);
  });
  return { url, kept: sealJourney({ ...flow, tenantId, providerId: id, target: input.target ?? "/" }) };
}
