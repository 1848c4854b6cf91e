import "../testing/local-outbound.ts";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { loadSession } from "../access/sessions.ts";
import { createOutboundClient } from "../kernel/outbound-http.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { openFakeOidc } from "../testing/fake-oidc.ts";
import { makeSsoWorld } from "../testing/sso-world.ts";
import { createProvider, listProviders, switchProvider, updateProvider } from "./manage-providers.ts";
import { forgetProvider, waiting } from "./oidc-client.ts";
import { issuerSchema } from "./schemas.ts";
import type { CreateProviderInput } from "./schemas.ts";
import { testProvider } from "./test-provider.ts";

const database = await testDatabase();
const oidc = await openFakeOidc();
afterAll(() => oidc.close());
const world = await makeSsoWorld(database, { oidc });
await world.tenant.addMember("developer", { email: `mia@${world.domain}` });
const { owner, providerId, tenant } = world;
const forget = () => {
  forgetProvider({ tenantId: tenant.tenantId, id: providerId, issuer: oidc.issuer });
};
beforeEach(() => {
  oidc.state.twist = {};
  forget();
});
const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => "fine",
    (error: unknown) => (error as { reason?: string }).reason ?? (error as { code: string }).code,
  );
const secondsOf = async (work: Promise<unknown>) => {
  const begun = performance.now();
  await work;
  return (performance.now() - begun) / 1_000;
};
const settings: CreateProviderInput = { ...world.settings, name: "Another" };

test("the secret is sealed, and no answer, event or list holds it", async () => {
  const canary = "canary-client-secret";
  const other = await makeTenant(database);
  const boss = other.as("owner");
  const { id } = await createProvider(boss, { ...settings, clientSecret: canary });
  await updateProvider(boss, { ...settings, id, name: "Changed", clientSecret: `${canary}-2` });
  expect(JSON.stringify(await listProviders(boss))).not.toContain(canary);
  for (const table of ["identity_providers", "audit_events"]) {
    const { rows } = await database.owner.query(
      `SELECT t::text, encode(t::text::bytea, 'escape') FROM ${table} t`,
    );
    expect(JSON.stringify(rows)).not.toContain(canary);
  }
  const { rows } = await database.owner.query<{ hex: string }>(
    "SELECT encode(client_secret, 'hex') AS hex FROM identity_providers WHERE id = $1",
    [id],
  );
  expect(rows[0]?.hex).not.toContain(Buffer.from(canary).toString("hex"));
});

test("connecting takes every permission; another issuer takes the secret again, and forgets who is who", async () => {
  for (const role of ["administrator", "developer"] as const)
    expect(await reasonOf(createProvider(tenant.as(role), settings))).toBe("permission_denied");
  const { signedIn } = await world.signIn();
  const moved = { ...world.settings, id: providerId, clientId: "another", clientSecret: undefined };
  expect(await reasonOf(updateProvider(owner, moved))).toBe("invalid_request");
  await updateProvider(owner, { ...moved, clientSecret: "x" });
  expect(await loadSession(database.web, signedIn)).toBeUndefined();
  expect((await listProviders(owner)).data[0]?.people).toBe(0);
  await updateProvider(owner, { ...world.settings, id: providerId });
  expect(await reasonOf(world.signIn())).toBe("fine");
});

test("what somebody else has changed of a provider since it was read is not replaced, and switching it is no such change", async () => {
  const boss = (await makeTenant(database)).as("owner");
  const { id } = await createProvider(boss, settings);
  const { clientSecret: _, ...kept } = settings;
  const revisionNow = async () => (await listProviders(boss)).data[0]?.revision;
  const revision = await revisionNow();
  await switchProvider(boss, { id, enabled: true });
  await updateProvider(boss, { ...kept, id, admits: !kept.admits, revision });
  expect(await reasonOf(updateProvider(boss, { ...kept, id, name: "Late", revision }))).toBe(
    "revision_conflict",
  );
  expect((await listProviders(boss)).data).toMatchObject([{ name: kept.name, admits: !kept.admits }]);
  await updateProvider(boss, { ...kept, id, name: "Again", revision: await revisionNow() });
});

test("an organisation has a bounded number of providers", async () => {
  const other = await makeTenant(database);
  const boss = other.as("owner");
  for (let i = 0; i < 5; i++) await createProvider(boss, { ...settings, name: `P${String(i)}` });
  expect(await reasonOf(createProvider(boss, { ...settings, name: "P5" }))).toBe("conflict");
  expect(await reasonOf(createProvider(boss, { ...settings, name: "P1" }))).toBe("conflict");
});

test.each([
  "javascript:alert(1)",
  "ftp://id.example",
  "https://user:secret@id.example",
  "https://id.example/?x=1",
  "https://id.example/#x",
  "https://id.example/ x",
  "id.example",
])("%s is no issuer", (issuer) => {
  expect(issuerSchema.safeParse(issuer).success).toBe(false);
});

test.each([
  ["http://id.example", "https_required"],
  ["https://169.254.169.254", "forbidden_address"],
  ["https://10.0.0.1", "forbidden_address"],
  ["https://[::1]", "forbidden_address"],
])("%s cannot be named as issuer: the service would be calling where it must not", async (issuer, code) => {
  await expect(createProvider(owner, { ...settings, issuer })).rejects.toMatchObject({
    errors: [{ pointer: "/issuer", code }],
  });
});

test("Entra's issuer names one directory: not everybody's", async () => {
  for (const directory of ["common", "organizations", "consumers"]) {
    const issuer = `https://login.microsoftonline.com/${directory}/v2.0`;
    await expect(createProvider(owner, { ...settings, kind: "entra", issuer })).rejects.toMatchObject({ errors: [{ pointer: "/issuer" }] }); // prettier-ignore
  }
});

const stepsOf = async () => (await testProvider(owner, { id: providerId })).steps;
test("a test says what is fine", async () => {
  expect(await testProvider(owner, { id: providerId })).toEqual({
    ok: true,
    steps: [
      { ok: true, text: `It answers as ${oidc.issuer}.` },
      { ok: true, text: "It publishes one key for checking its tokens." },
      { ok: true, text: "It accepts the client ID and secret." },
    ],
  });
});

test.each<[string, typeof oidc.state.twist, RegExp]>([
  [
    "another issuer",
    { discovery: (d) => ({ ...d, issuer: "https://evil.example" }) },
    /says that it is another issuer/,
  ],
  ["no JSON that is one", { discovery: () => [] }, /not what OpenID Connect asks for/],
  ["an answer that is too long", { discovery: () => ({ x: "x".repeat(200_000) }) }, /longer than 128 KiB/],
  [
    "no address for people",
    { discovery: (d) => ({ ...d, authorization_endpoint: undefined }) },
    /names no address/,
  ],
  [
    "an address that is a script",
    { discovery: (d) => ({ ...d, authorization_endpoint: "javascript:alert(1)" }) },
    /names no address/,
  ],
  [
    "no public-key signatures",
    { discovery: (d) => ({ ...d, id_token_signing_alg_values_supported: ["HS256"] }) },
    /public key/,
  ],
  [
    "keys where nothing may be read",
    { discovery: (d) => ({ ...d, jwks_uri: "https://169.254.169.254/keys" }) },
    /not a public one/,
  ],
  ["too many keys", { keys: () => ({ keys: [{ x: "x".repeat(200_000) }] }) }, /longer than 128 KiB/],
  ["no keys", { keys: () => ({ keys: [] }) }, /empty/],
  [
    "tokens from an address inside",
    { discovery: (d) => ({ ...d, token_endpoint: "http://10.0.0.1/token" }) },
    /not a public one/,
  ],
])("a test says plainly what is wrong: %s", async (_, twist, said) => {
  oidc.state.twist = twist;
  const steps = await stepsOf();
  expect(steps.find(({ ok }) => !ok)?.text).toMatch(said);
});

test("a wrong secret is told", async () => {
  const { id } = await createProvider(owner, { ...settings, name: "Wrong", clientSecret: "wrong" });
  const { steps } = await testProvider(owner, { id });
  expect(steps.at(-1)).toMatchObject({
    ok: false,
    text: expect.stringContaining("does not accept the client ID") as string,
  });
});

test("a client without permission for private addresses reaches none, whatever an organisation entered", async () => {
  const http = createOutboundClient({ allow: [], userAgent: "test" });
  const { steps } = await testProvider(owner, { id: providerId }, http);
  expect(steps).toEqual([{ ok: false, text: expect.stringContaining("not a public one") as string }]);
  await http.close();
});

test.each(["discovery", "token", "keys"] as const)(
  "a provider that hangs (%s) holds a sign-in for seconds, not longer",
  async (hangs) => {
    oidc.state.twist = { hangs };
    forget();
    expect(
      await secondsOf(expect(world.signIn()).rejects.toMatchObject({ reason: "sso_unreachable" })),
    ).toBeLessThan(11);
  },
  20_000,
);

test.each<[string, typeof oidc.state.twist]>([
  ["discovery", { discovery: (d) => ({ ...d, x: "x".repeat(1_000_000) }) }],
  ["keys", { keys: ({ keys }) => ({ keys, x: "x".repeat(1_000_000) }) }],
])("a giant answer is not read to its end: %s", async (_, twist) => {
  oidc.state.twist = twist;
  forget();
  expect(await reasonOf(world.signIn())).toBe("sso_unreachable");
});

test("sign-ins that wait for one organisation's provider are few, and another's do not wait for them", async () => {
  const slow = await makeSsoWorld(database);
  slow.oidc.state.twist = { hangs: "discovery" };
  const hanging = Array.from({ length: 20 }, () => reasonOf(slow.leave()));
  const other = await secondsOf(world.signIn());
  expect(other).toBeLessThan(2);
  const reasons = await Promise.all(hanging);
  expect(reasons.filter((reason) => reason === "sso_busy")).toHaveLength(20 - waiting.ofOne);
  await slow.oidc.close();
}, 20_000);

test("keys are asked for once, and for one that is not known at most once a minute", async () => {
  await world.signIn();
  const before = oidc.seen.filter((path) => path === "/keys").length;
  for (let i = 0; i < 3; i++) await world.signIn();
  oidc.renameKey("key-2");
  for (let i = 0; i < 3; i++) expect(await reasonOf(world.signIn())).toBe("sso_failed");
  expect(oidc.seen.filter((path) => path === "/keys")).toHaveLength(before);
  vi.setSystemTime(Date.now() + 61_000);
  expect(await reasonOf(world.signIn())).toBe("fine");
  vi.useRealTimers();
  await switchProvider(owner, { id: providerId, enabled: true });
});
