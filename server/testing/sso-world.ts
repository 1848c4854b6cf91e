import { addDomain, verifyDomain } from "../directory/manage-domains.ts";
import { newId } from "../kernel/ids.ts";
import { finishSignIn } from "../sso/finish-sign-in.ts";
import { createProvider, switchProvider } from "../sso/manage-providers.ts";
import type { CreateProviderInput } from "../sso/schemas.ts";
import { startSignIn } from "../sso/start-sign-in.ts";
import type { TestDatabase } from "./database.ts";
import { makeTenant } from "./factories.ts";
import { openFakeOidc } from "./fake-oidc.ts";
import type { FakeOidc } from "./fake-oidc.ts";

export const origin = () => ({ ip: null, userAgent: "test", requestId: newId() });

/** A tenant with a proven domain and an identity provider that is switched on. */
export async function makeSsoWorld(
  database: TestDatabase,
  given: { provider?: Partial<CreateProviderInput>; oidc?: FakeOidc; path?: string } = {},
) {
  const tenant = await makeTenant(database);
  const owner = tenant.as("owner");
  const domain = `${tenant.slug}.example`;
  const { id: domainId, record } = await addDomain(owner, { name: domain });
  await verifyDomain(owner, { id: domainId }, () => Promise.resolve([record.text]));
  const oidc = given.oidc ?? (await openFakeOidc(given.path === undefined ? {} : { path: given.path }));
  oidc.state.person.email = `mia@${domain}`;
  const settings: CreateProviderInput = {
    kind: "oidc",
    name: "Corporate",
    issuer: oidc.issuer,
    clientId: oidc.client.id,
    clientSecret: oidc.client.secret,
    scopes: "openid email profile",
    roleClaim: "groups",
    admits: false,
    ...given.provider,
  };
  const { id: providerId } = await createProvider(owner, settings);
  await switchProvider(owner, { id: providerId, enabled: true });
  /** Leaves for the provider, as the sign-in page does. */
  const leave = (target = "/") => startSignIn(database.web, { domain, provider: providerId, target });
  return {
    tenant,
    owner,
    domain,
    domainId,
    oidc,
    providerId,
    settings,
    leave,
    /** Leaves, signs in there, and comes back. */
    signIn: async (tenantId = tenant.tenantId) => {
      const { url, kept } = await leave();
      const { query } = await oidc.visit(url);
      return finishSignIn(database.web, { tenantId, query, kept }, origin());
    },
  };
}
