import { createHash } from "node:crypto";
import type { SignedIn, SignInOrigin } from "../access/sign-in.ts";
import { signInThroughProvider } from "../access/sign-in-through-provider.ts";
import { systemCtx } from "../access/system-ctx.ts";
import { hasProvenDomainOf } from "../directory/proven-domains.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { OutboundError } from "../kernel/outbound-http.ts";
import type { OutboundClient } from "../kernel/outbound-http.ts";
import { sameText } from "../kernel/same-secret.ts";
import { AuthorizationResponseError } from "oauth4webapi";
import { journeySeconds, openJourney } from "./journey.ts";
import { loadProvider } from "./load-provider.ts";
import type { Provider } from "./load-provider.ts";
import { callOptions, exchange, inTurn, metadataOf } from "./oidc-client.ts";
import { holdProvider, selectRules, takeState } from "./queries.ts";
import type { RuleRow } from "./queries.ts";
import { redirectUri } from "./redirect-uri.ts";
import { roleValues } from "./role-values.ts";
import { SignInRefused } from "./sign-in-refused.ts";
import { domainsToProve, nameOf, verifiedAddress } from "./verified-address.ts";
import type { Claims } from "./verified-address.ts";

/** What a browser came back with. */
export interface Return {
  /** The organisation that the address names. */
  tenantId: string;
  /** Its query. */
  query: URLSearchParams;
  /** What the browser kept. */
  kept: string | null;
}

/**
 * Signs in somebody who comes back from an identity provider: into the organisation that they left for, whichever else they belong
 * to. What came back has to match what this browser left with, and counts once. Throws SignInRefused, and `sign_in_way_not_allowed`
 * where the organisation wants another way in.
 */
export async function finishSignIn(
  db: Db,
  back: Return,
  from: SignInOrigin,
  http?: OutboundClient,
): Promise<{ signedIn: SignedIn; target: string }> {
  const journey = openJourney(back.kept);
  const state = back.query.get("state");
  if (!journey || state === null || !sameText(state, journey.state) || back.tenantId !== journey.tenantId) {
    throw new SignInRefused("sso_expired", "what came back is not what this browser left with");
  }
  const { tenantId, providerId } = journey;
  const ctx = systemCtx(db, tenantId, "Sign-in", from.requestId);
  const fresh = await inTenant(ctx, (tx) => takeState(tx, tenantId, usedState(ctx, journey)));
  if (!fresh) throw new SignInRefused("sso_expired", "it came back before");
  const provider = await loadProvider(ctx, providerId);
  if (!provider?.enabled) throw new SignInRefused("sso_failed", "the identity provider is switched off");
  const byValue = (await inTenant(ctx, (tx) => selectRules(tx, tenantId, providerId))).some(
    ({ value }) => value !== null,
  );
  const claims = await inTurn(tenantId, async (signal) => {
    const options = callOptions(signal, http);
    const metadata = await metadataOf(provider, options);
    const wanted = { claims: ["email", ...(byValue ? [provider.roleClaim] : [])] };
    const flow = { ...journey, redirectUri: redirectUri(tenantId) };
    return exchange(provider, metadata, back.query, flow, wanted, options);
  }).catch((error: unknown) => {
    throw refusal(error);
  });
  const email = await provenAddress(ctx, provider, claims);
  const outcome = await signInThroughProvider(
    db,
    tenantId,
    {
      provider: { id: provider.id, name: provider.name, hold: (tx) => hold(tx, provider) },
      subject: claims.sub,
      email,
      name: nameOf(claims, email),
      admits: provider.admits,
      // As the rules are by now, not as they were before the provider was asked.
      roles: async (tx) => givenBy(provider, await selectRules(tx, tenantId, providerId), claims),
    },
    from,
  );
  if (typeof outcome === "string")
    throw new SignInRefused(`sso_${outcome}`, "the account does not let them in");
  return { signedIn: outcome, target: journey.target };
}

const usedState = (ctx: Ctx, { state }: { state: string }) => ({
  hash: createHash("sha256").update(state).digest(),
  at: ctx.now(),
  expiresAt: new Date(ctx.now().getTime() + journeySeconds * 1_000),
});

/** Holds the provider until the transaction ends. Throws SignInRefused when it was switched off, changed or removed since it was read. */
async function hold(tx: Tx, provider: Provider): Promise<void> {
  if (await holdProvider(tx, provider)) return;
  throw new SignInRefused("sso_failed", "the identity provider was switched off or changed meanwhile");
}

/** The address that the provider has verified. Throws SignInRefused unless its domain is proven. */
async function provenAddress(
  ctx: Ctx,
  provider: Provider,
  claims: Claims & { sub: string },
): Promise<string> {
  if (claims.sub.length > 255 || /\p{Cc}/u.test(claims.sub)) {
    throw new SignInRefused("sso_failed", "the provider's name of the person is none");
  }
  const email = verifiedAddress(provider.kind, provider.issuer, claims);
  if (email === null)
    throw new SignInRefused("sso_unverified", "the provider does not say that the address is verified");
  for (const domain of domainsToProve(provider.kind, email, claims)) {
    if (!(await inTenant(ctx, (tx) => hasProvenDomainOf(tx, ctx.tenantId, `@${domain}`)))) {
      throw new SignInRefused("sso_domain", "the address lies in no domain that the organisation has proven");
    }
  }
  return email;
}

/** What the rules give somebody with these claims. Throws SignInRefused when the provider left out what they go by. */
function givenBy(provider: Provider, rules: readonly RuleRow[], claims: Claims) {
  const values = roleValues(claims, provider.roleClaim);
  if (values === undefined && rules.some(({ value }) => value !== null)) {
    throw new SignInRefused(
      "sso_groups_missing",
      "the provider left out the groups, because there are too many",
    );
  }
  return rules
    .filter(({ value }) => value === null || values?.has(value))
    .map(({ value, roleId, unitId }) => ({
      roleId,
      unitId,
      by: value === null ? provider.name : `${provider.name}, ${provider.roleClaim} ${value}`,
    }));
}

/** What people are told of a failure; the log has the rest. */
function refusal(error: unknown): SignInRefused {
  if (error instanceof SignInRefused) return error;
  if (error instanceof AuthorizationResponseError) {
    return new SignInRefused("sso_stopped", `the provider answered ${error.error.slice(0, 60)}`, error);
  }
  if (error instanceof DomainError) throw error;
  const reasons = [error, error instanceof Error ? error.cause : undefined];
  const unreachable = reasons.some(
    (each) => each instanceof OutboundError || (each instanceof Error && each.name === "TimeoutError"),
  );
  return unreachable
    ? new SignInRefused("sso_unreachable", "the identity provider could not be reached", error)
    : new SignInRefused("sso_failed", "what the identity provider sent is not in order", error);
}
