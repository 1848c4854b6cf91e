import "../testing/local-outbound.ts";
import { createHmac } from "node:crypto";
import { base64url, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { revokeOwnSessions } from "../access/manage-sessions.ts";
import { removeMember } from "../access/remove-member.ts";
import { reactivateMember, suspendMember } from "../access/suspend-member.ts";
import { loadSession } from "../access/sessions.ts";
import { removeDomain } from "../directory/manage-domains.ts";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { openFakeOidc } from "../testing/fake-oidc.ts";
import type { Twist } from "../testing/fake-oidc.ts";
import { doneBefore, doneDuring } from "../testing/sign-ins.ts";
import { makeSsoWorld, origin } from "../testing/sso-world.ts";
import { findProviders } from "./find-providers.ts";
import { finishSignIn } from "./finish-sign-in.ts";
import { openJourney, sealJourney } from "./journey.ts";
import { removeProvider, switchProvider, updateProvider } from "./manage-providers.ts";
import { forgetProvider } from "./oidc-client.ts";

const database = await testDatabase();
const oidc = await openFakeOidc();
afterAll(() => oidc.close());
const world = await makeSsoWorld(database, { oidc });
const { tenant, domain, owner, providerId, signIn } = world;
beforeEach(() => {
  oidc.state.twist = {};
});

/** Why it came to nothing. */
const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => "signed in",
    (error: unknown) =>
      (error as { reason?: string; code?: string }).reason ?? (error as { code: string }).code,
  );
let people = 0;
/** Somebody new whom the provider knows, and the organisation as well. */
async function newPerson(claims: Record<string, unknown> = {}) {
  people += 1;
  const email = `p${String(people)}@${domain}`;
  const member = await tenant.addMember("developer", { email });
  oidc.state.person = { sub: `sub-${String(people)}`, email, email_verified: true, name: "P", ...claims };
  return { ...member, claims: oidc.state.person };
}

test("a member signs in, with the session of their own account in this organisation", async () => {
  const { id, email } = await newPerson();
  const { signedIn, target } = await signIn();
  expect(signedIn).toMatchObject({ tenantId: tenant.tenantId, userId: id, tenantSlug: tenant.slug });
  expect(target).toBe("/");
  expect(await loadSession(database.web, signedIn)).toMatchObject({
    user: { id, email },
    roles: ["developer"],
  });
  const { rows } = await database.owner.query(
    "SELECT method, provider_id AS provider FROM sessions WHERE id = $1",
    [signedIn.sessionId],
  );
  expect(rows).toEqual([{ method: "identity_provider", provider: providerId }]);
});

test("claims that stand at the userinfo endpoint alone count as well", async () => {
  const { id } = await newPerson();
  oidc.state.twist = { userinfoOnly: ["email", "email_verified"] };
  expect((await signIn()).signedIn.userId).toBe(id);
});

const hmac = (claims: object, header: object, secret: string) => {
  const text = [header, claims].map((part) => base64url.encode(JSON.stringify(part))).join(".");
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
};
const hostile: Record<string, Twist> = {
  "another nonce": { claims: (claims) => ({ ...claims, nonce: "another" }) },
  "no nonce": { claims: ({ nonce: _, ...claims }) => claims },
  "another audience": { claims: (claims) => ({ ...claims, aud: "another-client" }) },
  "an audience of two, made for the other": {
    claims: (claims) => ({ ...claims, aud: [oidc.client.id, "other"], azp: "other" }),
  },
  "another party": { claims: (claims) => ({ ...claims, azp: "other" }) },
  "another issuer": { claims: (claims) => ({ ...claims, iss: "https://evil.example" }) },
  "no issuer": { claims: ({ iss: _, ...claims }) => claims },
  "an end in the past": { claims: (claims) => ({ ...claims, exp: Math.floor(Date.now() / 1_000) - 120 }) },
  "no end": { claims: ({ exp: _, ...claims }) => claims },
  "a time long ago": { claims: (claims) => ({ ...claims, iat: Math.floor(Date.now() / 1_000) - 3_600 }) },
  "no subject": { claims: ({ sub: _, ...claims }) => claims },
  "no signature (alg none)": { token: (claims) => new UnsecuredJWT(claims).encode() },
  "HS256 with the public key as secret": {
    token: (claims, key) => hmac(claims, { alg: "HS256", kid: key.public.kid }, JSON.stringify(key.public)),
  },
  "HS256 with the client secret, though the provider says that it signs so": {
    discovery: (document) => ({ ...document, id_token_signing_alg_values_supported: ["HS256"] }),
    token: (claims) => hmac(claims, { alg: "HS256" }, oidc.client.secret),
  },
  "the signature of another token": {
    token: async (claims, key) => {
      const signed = (name: string) =>
        new SignJWT({ ...claims, name })
          .setProtectedHeader({ alg: "RS256", kid: key.public.kid! })
          .sign(key.private);
      const [one, two] = [await signed("a"), await signed("b")];
      return [...one.split(".").slice(0, 2), two.split(".")[2]].join(".");
    },
  },
};
test.each(Object.entries(hostile))("an ID token with %s signs nobody in", async (_, twist) => {
  await newPerson();
  // What a provider says of itself is remembered for a while.
  forgetProvider({ tenantId: tenant.tenantId, id: providerId, issuer: oidc.issuer });
  oidc.state.twist = twist;
  const sessions = async () => (await database.owner.query("SELECT id FROM sessions")).rows.length;
  const before = await sessions();
  expect(await reasonOf(signIn())).toBe("sso_failed");
  expect(await sessions()).toBe(before);
  forgetProvider({ tenantId: tenant.tenantId, id: providerId, issuer: oidc.issuer });
});

test("what comes back counts once, in the browser that left, within ten minutes", async () => {
  await newPerson();
  const { url, kept } = await world.leave();
  const { query } = await oidc.visit(url);
  const finish = (back: { query?: URLSearchParams; kept?: string | null; tenantId?: string }) =>
    reasonOf(finishSignIn(database.web, { tenantId: tenant.tenantId, query, kept, ...back }, origin()));
  const other = await world.leave();
  const with_ = (change: Record<string, string>) => {
    const changed = new URLSearchParams(query);
    for (const [name, value] of Object.entries(change)) changed.set(name, value);
    return changed;
  };
  expect(await finish({ kept: null })).toBe("sso_expired");
  expect(await finish({ kept: other.kept }), "another browser's state").toBe("sso_expired");
  expect(await finish({ query: with_({ state: "x" }) })).toBe("sso_expired");
  expect(await finish({ kept: `${kept.slice(0, -2)}AA` }), "a cookie that somebody wrote").toBe(
    "sso_expired",
  );
  expect(await finish({ tenantId: newId() })).toBe("sso_expired");
  const journey = openJourney(kept)!;
  vi.setSystemTime(Date.now() - 601_000);
  const old = sealJourney(journey);
  vi.useRealTimers();
  expect(await finish({ kept: old }), "after ten minutes").toBe("sso_expired");
  expect(await finish({})).toBe("signed in");
  expect(await finish({}), "the same again").toBe("sso_expired");
  // The same code in a journey of its own: the provider refuses it.
  const replayed = openJourney(other.kept)!;
  expect(await finish({ kept: other.kept, query: with_({ state: replayed.state }) })).toBe("sso_failed");
});

test("an answer of another issuer is refused, and one without an issuer where the provider always names itself (mix-up)", async () => {
  await newPerson();
  oidc.state.twist = { back: (query) => query.set("iss", "https://other.example") };
  expect(await reasonOf(signIn())).toBe("sso_failed");
  oidc.state.twist = { back: (query) => query.delete("iss") };
  expect(await reasonOf(signIn())).toBe("sso_failed");
});

test("an error of the provider is told as one, and none of its words reach the page", async () => {
  await newPerson();
  oidc.state.twist = {
    back: (query) => {
      query.delete("code");
      query.set("error", "access_denied");
      query.set("error_description", "<script>alert(1)</script>");
    },
  };
  expect(await reasonOf(signIn())).toBe("sso_stopped");
});

test.each([
  ["not verified", { email_verified: false }],
  ["nothing said of it", { email_verified: undefined }],
  ["a text instead of a boolean", { email_verified: "true" }],
  ["no address", { email: undefined }],
  ["an address that is none", { email: "mia" }],
])("an address that the provider has not verified opens nothing: %s", async (_, claims) => {
  await newPerson(claims);
  expect(await reasonOf(signIn())).toBe("sso_unverified");
});

test("an address of a domain that is not proven opens nothing, and none does once the domain is given up", async () => {
  await newPerson({ email: "mia@elsewhere.example" });
  await tenant.addMember("developer", { email: "mia@elsewhere.example" });
  expect(await reasonOf(signIn())).toBe("sso_domain");
  const other = await makeSsoWorld(database);
  await other.tenant.addMember("developer", { email: `mia@${other.domain}` });
  expect(await reasonOf(other.signIn())).toBe("signed in");
  const { url, kept } = await other.leave();
  const { query } = await other.oidc.visit(url);
  await removeDomain(other.owner, { id: other.domainId });
  const back = { tenantId: other.tenant.tenantId, query, kept };
  expect(await reasonOf(finishSignIn(database.web, back, origin()))).toBe("sso_domain");
  await other.oidc.close();
});

test("after the first time only the same person there opens the account, whatever their address says", async () => {
  const { id, claims, email } = await newPerson();
  await signIn();
  oidc.state.person = { ...claims, sub: "somebody else with the same address" };
  expect(await reasonOf(signIn())).toBe("sso_another_identity");
  // The same person with a new address stays themselves.
  oidc.state.person = { ...claims, email: `new-${email}` };
  expect((await signIn()).signedIn.userId).toBe(id);
});

test("one organisation's provider signs in nobody of another, even with the same address", async () => {
  const other = await makeSsoWorld(database);
  const email = `shared@${domain}`;
  const there = await other.tenant.addMember("owner", { email });
  // The other's provider says the address of ours: its domain is not the other's.
  other.oidc.state.person = { sub: "x", email, email_verified: true };
  expect(await reasonOf(other.signIn())).toBe("sso_domain");
  // Ours says it: the session is ours alone.
  const here = await tenant.addMember("developer", { email });
  oidc.state.person = { sub: "shared", email, email_verified: true };
  const { signedIn } = await signIn();
  expect(signedIn).toMatchObject({ tenantId: tenant.tenantId, userId: here.id });
  const elsewhere = { ...signedIn, tenantId: other.tenant.tenantId };
  expect(await loadSession(database.web, elsewhere)).toBeUndefined();
  expect(await loadSession(database.web, { ...elsewhere, userId: there.id })).toBeUndefined();
  await other.oidc.close();
});

test("who is suspended or was removed stays out, and who comes back after a removal is found anew", async () => {
  const { id, email } = await newPerson();
  await signIn();
  await suspendMember(owner, { userId: id });
  expect(await reasonOf(signIn())).toBe("sso_suspended");
  await reactivateMember(owner, { userId: id });
  expect(await reasonOf(signIn())).toBe("signed in");
  await removeMember(owner, { userId: id });
  expect(await reasonOf(signIn())).toBe("sso_no_member");
  const { rows } = await database.owner.query("SELECT 1 FROM external_identities WHERE user_id = $1", [id]);
  expect(rows).toEqual([]);
  expect(email).toContain(domain);
});

test("who is asked for a domain answers the same for every name at it, and nothing for others", async () => {
  expect((await findProviders(database.web, domain)).data).toEqual([{ id: providerId, name: "Corporate" }]);
  expect((await findProviders(database.web, `sub.${domain}`)).data).toEqual([]);
  expect((await findProviders(database.web, "elsewhere.example")).data).toEqual([]);
});

test("a provider that is switched off is not offered, signs nobody in, and the sessions that it began end", async () => {
  const other = await makeSsoWorld(database);
  await other.tenant.addMember("developer", { email: `mia@${other.domain}` });
  const { signedIn } = await other.signIn();
  const { url, kept } = await other.leave();
  const { query } = await other.oidc.visit(url);
  await switchProvider(other.owner, { id: other.providerId, enabled: false });
  expect(await loadSession(database.web, signedIn)).toBeUndefined();
  expect((await findProviders(database.web, other.domain)).data).toEqual([]);
  expect(await reasonOf(other.leave())).toBe("sso_failed");
  const back = { tenantId: other.tenant.tenantId, query, kept };
  expect(await reasonOf(finishSignIn(database.web, back, origin()))).toBe("sso_failed");
  await other.oidc.close();
});

const sessionsOf = async (userId: string) => {
  const { rows } = await database.owner.query<{ id: string }>(
    "SELECT id FROM sessions WHERE user_id = $1 AND revoked_at IS NULL",
    [userId],
  );
  return rows.length;
};

test("signing out everywhere ends sign-ins in progress, the first one as well as later ones", async () => {
  const { id, email } = await newPerson();
  const ctx = { ...tenant.as("developer"), actor: { type: "user", id, name: "P", email } as const };
  const everywhere = () => revokeOwnSessions(ctx, {});
  expect(await doneBefore(database, signIn, everywhere)).toBe("sign_in_failed");
  expect(await sessionsOf(id)).toBe(0);
  await signIn();
  expect(await doneBefore(database, signIn, everywhere)).toBe("sign_in_failed");
  expect(await sessionsOf(id)).toBe(0);
  await doneDuring(database, signIn, everywhere);
  expect(await sessionsOf(id)).toBe(0);
});

type World = Awaited<ReturnType<typeof makeSsoWorld>>;
test.each([
  ["switched off", (at: World) => switchProvider(at.owner, { id: at.providerId, enabled: false })],
  ["removed", (at: World) => removeProvider(at.owner, { id: at.providerId })],
  [
    "given another client",
    (at: World) =>
      updateProvider(at.owner, { ...at.settings, id: at.providerId, clientId: "another", clientSecret: "x" }),
  ],
])("a provider that is %s while it vouches for somebody signs nobody in", async (_, change) => {
  const other = await makeSsoWorld(database);
  const { id } = await other.tenant.addMember("developer", { email: `mia@${other.domain}` });
  other.oidc.state.twist = { meanwhile: () => change(other) };
  expect(await reasonOf(other.signIn())).toBe("sso_failed");
  expect(await sessionsOf(id)).toBe(0);
  const { rows } = await database.owner.query("SELECT 1 FROM external_identities WHERE user_id = $1", [id]);
  expect(rows).toEqual([]);
  await other.oidc.close();
});

test("switching a provider off ends a session that it begins at that moment", async () => {
  const other = await makeSsoWorld(database);
  const { id } = await other.tenant.addMember("developer", { email: `mia@${other.domain}` });
  await other.signIn();
  const off = () => switchProvider(other.owner, { id: other.providerId, enabled: false });
  await doneDuring(database, () => other.signIn(), off);
  expect(await sessionsOf(id)).toBe(0);
  await other.oidc.close();
});
