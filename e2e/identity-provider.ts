import { once } from "node:events";
import Provider from "oidc-provider";

/** A real OpenID Connect provider on this machine, with a page to sign in on. Whoever enters a name is that person at the domain. */
export async function openIdentityProvider(options: { port: number; domain: string; redirectUri: string }) {
  const { port, domain, redirectUri } = options;
  const issuer = `http://127.0.0.1:${String(port)}`;
  const client = { id: "tidings", secret: "the-secret-of-the-browser-tests" };
  /** Groups by name of the person. */
  const groups = new Map<string, string[]>();
  const provider = new Provider(issuer, {
    clients: [{ client_id: client.id, client_secret: client.secret, redirect_uris: [redirectUri] }],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"], groups: ["groups"] },
    cookies: { keys: ["a key of the browser tests"] },
    pkce: { required: () => true },
    findAccount: (_ctx, sub) => ({
      accountId: sub,
      claims: () => ({
        sub,
        email: `${sub}@${domain}`,
        email_verified: true,
        name: `${sub.slice(0, 1).toUpperCase()}${sub.slice(1)} of the provider`,
        groups: groups.get(sub) ?? [],
      }),
    }),
  });
  const server = provider.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    issuer,
    client,
    groups,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
