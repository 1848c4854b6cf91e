import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { deliveryReport } from "../insights/delivery-report.ts";
import { foldMetrics } from "../insights/fold-metrics.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { newId } from "../kernel/ids.ts";
import { getTimeline } from "../sending/get-timeline.ts";
import { testDatabase } from "../testing/database.ts";
import { refusal } from "../testing/refusal.ts";
import { restClient } from "../testing/rest-client.ts";
import { becomes, claimOver, makeSendingWorld, messageId, notTakenBy } from "../testing/sending-world.ts";
import { createProvider } from "./create-provider.ts";
import { deleteProvider } from "./delete-provider.ts";
import { getProvider } from "./get-provider.ts";
import { listProviders } from "./list-providers.ts";
import { forgetConnections, tenantConnections } from "./load-connection.ts";
import { providerOperations } from "./operations.ts";
import { providerCreateSchema, providerUpdateSchema } from "./schemas.ts";
import { updateProvider } from "./update-provider.ts";

const database = await testDatabase();
const world = await makeSendingWorld(database);
const { tenant } = world;
const owner = tenant.as("owner");
const account = { accountSid: `AC${"a1".repeat(16)}`, authToken: "the-secret-token" };

let names = 0;
const twilio = (fields: Record<string, unknown> = {}) =>
  providerCreateSchema.parse({
    name: `Twilio ${String((names += 1))}`,
    provider: "twilio",
    credentials: account,
    settings: { region: "ie1" },
    ...fields,
  });
const add = (fields: Record<string, unknown> = {}, ctx: Ctx = owner) => createProvider(ctx, twilio(fields));
const change = (id: string, changes: Record<string, unknown>, ctx: Ctx = owner) =>
  updateProvider(ctx, { id, changes: providerUpdateSchema.parse(changes) });
const pointers = async (work: Promise<unknown>) => (await refusal(work)).errors.map(({ pointer }) => pointer);

async function audits(id: string) {
  const { rows } = await database.owner.query<{ action: string; data: Record<string, unknown> }>(
    "SELECT action, data FROM audit_events WHERE tenant_id = $1 AND target_id = $2 ORDER BY id",
    [tenant.tenantId, id],
  );
  return rows;
}

describe("a connection that is added", () => {
  it("over HTTP with receipts needs the secret that proves that they come from the provider, also after a change", async () => {
    const http = (credentials: Record<string, unknown>) =>
      providerCreateSchema.parse({
        name: `HTTP ${String((names += 1))}`,
        provider: "http",
        credentials,
        settings: {
          url: "https://example.com/send",
          body: '{"dlr":"{{ callbackUrl }}"}',
          receiptStatusPath: "$.status",
          receiptStatuses: "ok = delivered",
        },
        processingRegion: "EU",
      });
    expect((await refusal(createProvider(owner, http({})))).errors).toMatchObject([
      { pointer: "/credentials/callbackSecret", code: "required" },
    ]);
    const made = await createProvider(owner, http({ callbackSecret: "0123456789abcdef" }));
    expect(await pointers(change(made.id, { credentials: { callbackSecret: null } }))).toEqual([
      "/credentials/callbackSecret",
    ]);
  });

  const key = (type: "rsa" | "ed25519") =>
    type === "rsa"
      ? generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey
      : generateKeyPairSync("ed25519").privateKey;
  const pem = (type: "rsa" | "ed25519") => key(type).export({ type: "pkcs8", format: "pem" }).toString();
  const http = { url: "https://example.com/send", body: '{"a":"{{ callbackUrl }}"}' };
  const smtp = { host: "mail.example.com" };
  const vonage = { applicationId: "0198c7a0-0000-7000-8000-000000000001", signatureSecret: "s3cret" };
  const badKey = "-----BEGIN PRIVATE KEY-----\nbm9uZQ==\n-----END PRIVATE KEY-----";
  it.each([
    [
      "an HTTP request whose header names a secret that is not there",
      { provider: "http", settings: { ...http, headers: "X-Key: {{ secrets.key }}" } },
      "/credentials/secrets",
      { credentials: { secrets: "key = 1" } },
    ],
    [
      "HTTP receipts that no message could be found for",
      {
        provider: "http",
        credentials: { callbackSecret: "0123456789abcdef" },
        settings: { ...http, body: "{}", receiptStatusPath: "$.s", receiptStatuses: "ok = delivered" },
      },
      "/settings/receiptIdPath",
      { settings: { ...http, receiptStatusPath: "$.s", receiptStatuses: "ok = delivered" } },
    ],
    [
      "HTTP repeats that the provider cannot recognise",
      { provider: "http", settings: { ...http, recognisesRepeats: true } },
      "/settings/recognisesRepeats",
      { settings: { ...http, headers: "X-Key: {{ idempotencyKey }}", recognisesRepeats: true } },
    ],
    [
      "an HTTP pattern that is none",
      { provider: "http", settings: { ...http, successPattern: "(?=a)" } },
      "/settings/successPattern",
      { settings: { ...http, successPattern: "^OK" } },
    ],
    [
      "an SMTP bounce domain without its secret",
      { provider: "smtp", settings: { ...smtp, bounceDomain: "bounces.example.com" } },
      "/credentials/bounceSecret",
      { credentials: { bounceSecret: "0123456789abcdef0123" } },
    ],
    [
      "SMTP signatures without a key",
      { provider: "smtp", settings: { ...smtp, dkim: { domain: "example.com", selector: "s" } } },
      "/credentials/dkimPrivateKey",
      { credentials: { dkimPrivateKey: pem("rsa") } },
    ],
    [
      "an SMTP key that signs nothing",
      {
        provider: "smtp",
        credentials: { dkimPrivateKey: pem("ed25519") },
        settings: { ...smtp, dkim: { domain: "example.com", selector: "s" } },
      },
      "/credentials/dkimPrivateKey",
      { credentials: { dkimPrivateKey: pem("rsa") } },
    ],
    [
      "a Vonage key that cannot be read",
      { provider: "vonage", credentials: { ...vonage, privateKey: badKey } },
      "/credentials/privateKey",
      { credentials: { ...vonage, privateKey: pem("rsa") } },
    ],
    [
      "a Vonage API key without its secret",
      { provider: "vonage", credentials: { ...vonage, privateKey: pem("rsa"), apiKey: "a" } },
      "/credentials/apiSecret",
      { credentials: { ...vonage, privateKey: pem("rsa") } },
    ],
    [
      "a SendGrid key that is none",
      {
        provider: "sendgrid",
        credentials: { apiKey: "SG.1" },
        settings: { region: "eu", verificationKey: "A".repeat(100) },
      },
      "/settings/verificationKey",
      { settings: { region: "eu" } },
    ],
  ])(
    "that could never work is refused at its field, and so is a change to it: %s",
    async (_, given, pointer, mended) => {
      const name = `Never ${String((names += 1))}`;
      const fields = { name, ...(given.provider === "sendgrid" ? {} : { processingRegion: "EU" }), ...given };
      const error = await refusal(createProvider(owner, providerCreateSchema.parse(fields)));
      expect(error.code).toBe("invalid_request");
      expect(error.errors.map((problem) => problem.pointer)).toEqual([pointer]);
      const made = await createProvider(owner, providerCreateSchema.parse({ ...fields, ...mended }));
      const back = {
        credentials: {
          ...Object.fromEntries(made.credentialsSet.map((each) => [each, null])),
          ...("credentials" in given ? given.credentials : {}),
        },
        settings: {
          ...Object.fromEntries(Object.keys(made.settings).map((each) => [each, null])),
          ...("settings" in given ? given.settings : {}),
        },
      };
      expect(await pointers(change(made.id, back))).toEqual([pointer]);
    },
  );

  it("can be used at once, and shows which credentials are set but never their values", async () => {
    const made = await add({
      senders: [{ channel: "sms", sender: "ACME" }],
      priceList: [{ channel: "sms", country: "DE", amount: "0.075", currency: "EUR" }],
      ratePerSecond: 10,
      inbound: { application: "shop", environment: "production" },
    });
    expect(made).toMatchObject({
      provider: "twilio",
      unit: null,
      channels: ["sms", "whatsapp"],
      processingRegion: "EU",
      regionAllowed: true,
      credentialsSet: ["accountSid", "authToken"],
      settings: { region: "ie1" },
      ratePerSecond: 10,
      maxConcurrency: 50,
      inbound: { application: "shop", environment: "production" },
      status: "idle",
      lastTest: null,
      rules: [],
      problem: null,
    });
    expect(made.callback?.url).toBe(`http://localhost:3000/api/callbacks/${made.id}`);
    expect(made.callback?.setup).toContain(made.callback?.url);
    expect(JSON.stringify(made)).not.toMatch(new RegExp(`${account.accountSid}|${account.authToken}`));
    const used = (await tenantConnections(tenant.worker)).get(made.id);
    expect(used?.connection.credentials).toEqual(account);
    const trail = await audits(made.id);
    expect(trail.map(({ action }) => action)).toEqual(["provider.created"]);
    expect(JSON.stringify(trail)).not.toMatch(new RegExp(`${account.accountSid}|${account.authToken}`));
    const { rows } = await database.owner.query<{ text: string }>(
      "SELECT c::text AS text FROM provider_connections c WHERE id = $1",
      [made.id],
    );
    expect(rows[0]?.text).not.toContain(account.authToken);
  });

  it("is refused with every wrong field named, without repeating what was entered", async () => {
    const error = await refusal(
      add({ credentials: { accountSid: "my-secret-sid" }, settings: { region: "moon", extra: 1 } }),
    );
    expect(error.code).toBe("invalid_request");
    expect(error.errors.map(({ pointer }) => pointer)).toEqual(
      expect.arrayContaining(["/credentials/accountSid", "/credentials/authToken", "/settings/region"]),
    );
    expect(JSON.stringify([error.message, error.errors])).not.toContain("my-secret-sid");
    expect(await pointers(add({ channels: ["email"] }))).toEqual(["/channels/0"]);
    expect(
      await pointers(
        add({
          channels: ["sms"],
          senders: [
            { channel: "sms", sender: "A NAME TOO LONG" },
            { channel: "sms", sender: "+4930123456" },
            { channel: "whatsapp", sender: "ACME" },
            { channel: "sms", sender: "+4930123456" },
          ],
        }),
      ),
    ).toEqual(["/senders/0/sender", "/senders/2/sender", "/senders/2/channel", "/senders/3/sender"]);
    expect(
      await pointers(
        add({
          priceList: [
            { channel: "sms", category: "utility", amount: "1", currency: "EUR" },
            { channel: "whatsapp", country: "DE", amount: "1", currency: "EUR" },
            { channel: "whatsapp", country: "DE", amount: "2", currency: "EUR" },
          ],
        }),
      ),
    ).toEqual(["/priceList/0/category", "/priceList/2"]);
    expect(await pointers(add({ inbound: { application: "nope", environment: "sandbox" } }))).toEqual([
      "/inbound/application",
      "/inbound/environment",
    ]);
  });

  it("never leads into networks that the operator has not opened", async () => {
    const smtp = (settings: object) =>
      createProvider(
        owner,
        providerCreateSchema.parse({ name: newId(), provider: "smtp", settings, processingRegion: "EU" }),
      );
    for (const host of ["127.0.0.1", "10.1.2.3", "[::1]", "localhost", "169.254.169.254"]) {
      const error = await refusal(smtp({ host }));
      expect([error.code, error.errors[0]?.pointer], host).toEqual(["forbidden_address", "/settings/host"]);
      expect(error.message).toContain("OUTBOUND_ALLOW");
    }
    expect((await refusal(add({ settings: { baseUrl: "http://192.168.0.1/x" } }))).code).toBe(
      "region_not_allowed",
    );
    const plain = await refusal(add({ settings: { region: "ie1", baseUrl: "http://8.8.8.8" } }));
    expect(plain.errors).toMatchObject([{ pointer: "/settings/baseUrl", code: "encryption_required" }]);
    expect((await refusal(smtp({ host: "8.8.8.8", security: "none" }))).errors).toMatchObject([
      { pointer: "/settings/host", code: "encryption_required" },
    ]);
    expect((await smtp({ host: "8.8.8.8" })).settings).toMatchObject({ host: "8.8.8.8", port: 587 });
  });

  it("processes data only where the organisation allows it, and only where its settings say", async () => {
    const abroad = await refusal(add({ settings: { region: "us1" } }));
    expect(abroad).toMatchObject({ code: "region_not_allowed", extra: { region: "US", allowed: ["EU"] } });
    expect(abroad.message).toContain("United States (US)");
    expect(abroad.message).toContain("European Union");
    expect(abroad.message).toContain("PUT /v1/residency");
    const contrary = await refusal(add({ settings: { region: "us1" }, processingRegion: "EU" }));
    expect(contrary).toMatchObject({ code: "region_not_allowed", extra: { region: "US" } });
    const smtp = { name: "Mail", provider: "smtp", credentials: {}, settings: { host: "8.8.8.8" } };
    expect(await pointers(createProvider(owner, providerCreateSchema.parse(smtp)))).toEqual([
      "/processingRegion",
    ]);
    expect(
      (
        await refusal(
          createProvider(owner, providerCreateSchema.parse({ ...smtp, processingRegion: "MARS" })),
        )
      ).errors,
    ).toMatchObject([{ pointer: "/processingRegion", code: "unknown_region" }]);
  });

  it("has a unique name", async () => {
    const { name } = await add();
    const error = await refusal(add({ name }));
    expect(error).toMatchObject({ code: "conflict", errors: [{ pointer: "/name", code: "taken" }] });
  });

  it("belongs to a unit whose connections the caller manages, or to the whole organisation by those who manage all", async () => {
    const alpha = tenant.as("administrator", tenant.units.alpha);
    const made = await add({ unit: "alpha" }, alpha);
    expect(made.unit).toBe("alpha");
    expect((await refusal(add({ unit: null }, alpha))).code).toBe("permission_denied");
    const foreign = await refusal(add({ unit: "beta" }, alpha));
    const unknown = await refusal(add({ unit: "nope" }, alpha));
    expect([foreign.code, foreign.message]).toEqual([unknown.code, unknown.message]);
    const beta = tenant.as("administrator", tenant.units.beta);
    expect((await refusal(getProvider(beta, { id: made.id }))).code).toBe("not_found");
    expect((await refusal(change(made.id, { name: "Mine" }, beta))).code).toBe("not_found");
    const shared = await add();
    expect((await getProvider(beta, shared)).name).toBe(shared.name);
    expect((await refusal(change(shared.id, { name: "Mine" }, beta))).code).toBe("permission_denied");
    expect((await refusal(change(made.id, { unit: null }, alpha))).code).toBe("permission_denied");
    expect(() => providerOperations.create.call(tenant.as("developer"), twilio())).toThrow(
      expect.objectContaining({ code: "permission_denied" }),
    );
  });

  it("cannot be changed by keys outside production, because it serves every environment", async () => {
    const rest = restClient(database.web);
    const { key } = await tenant.makeKey("production", { role: "owner" });
    const lesser = await tenant.makeKey("staging", { role: "owner" });
    const body = { name: "By key", provider: "twilio", credentials: account, settings: { region: "ie1" } };
    const refused = await rest.post("/v1/providers", { key: lesser.key, json: body });
    expect([refused.status, (refused.body as { code: string }).code]).toEqual([403, "environment_mismatch"]);
    const made = await rest.post<{ id: string }>("/v1/providers", { key, json: body });
    expect(made.status).toBe(201);
    expect(made.headers.get("location")).toBe(`/v1/providers/${made.body.id}`);
    expect((await rest.get(`/v1/providers/${made.body.id}`, { key: lesser.key })).status).toBe(200);
    const misspelt = await rest.post("/v1/providers", { key, json: { ...body, ratePersecond: 1 } });
    expect(misspelt.status).toBe(422);
  });
});

describe("a connection that is changed", () => {
  it("keeps what the change leaves out, credentials included, and is in force at once", async () => {
    const { id, updatedAt } = await add();
    const changed = await change(id, { name: "Renamed", ratePerSecond: 5, updatedAt });
    expect(changed).toMatchObject({ name: "Renamed", ratePerSecond: 5, settings: { region: "ie1" } });
    expect(Date.parse(changed.updatedAt)).toBeGreaterThan(Date.parse(updatedAt));
    await change(id, { credentials: { authToken: "another-token" } });
    const used = (await tenantConnections(tenant.system)).get(id);
    expect(used?.connection.credentials).toEqual({ ...account, authToken: "another-token" });
    await change(id, { enabled: false });
    expect((await tenantConnections(tenant.system)).get(id)?.enabled).toBe(false);
    await change(id, { enabled: true });
    const trail = await audits(id);
    expect(trail.map(({ action }) => action)).toEqual([
      "provider.created",
      "provider.updated",
      "provider.updated",
      "provider.disabled",
      "provider.enabled",
    ]);
    expect(trail[2]?.data).toMatchObject({ changed: ["credentials"], credentials: ["authToken"] });
    expect(JSON.stringify(trail)).not.toContain("another-token");
  });

  it("is soon seen by a process that is not notified", async () => {
    const { id } = await add();
    // The other process has just read it, and is not notified.
    const other = await tenantConnections(tenant.worker);
    expect(other.get(id)?.enabled).toBe(true);
    await database.owner.query(
      "UPDATE provider_connections SET enabled = false, updated_at = updated_at + interval '1 second' WHERE id = $1",
      [id],
    );
    await expect
      .poll(async () => (await tenantConnections(tenant.worker)).get(id)?.enabled, {
        timeout: 10_000,
        interval: 50,
      })
      .toBe(false);
  });

  it("is not changed over somebody else's change", async () => {
    const { id, updatedAt } = await add();
    await change(id, { name: `Second ${id}` });
    const error = await refusal(change(id, { name: "Third", updatedAt }));
    expect(error.code).toBe("revision_conflict");
    // Without an expected state both changes apply, even at the same moment.
    await Promise.all([change(id, { ratePerSecond: 7 }), change(id, { slowAfterMs: 700 })]);
    expect(await getProvider(owner, { id })).toMatchObject({
      name: `Second ${id}`,
      ratePerSecond: 7,
      slowAfterMs: 700,
    });
  });

  it("never sends stored credentials to a new address", async () => {
    const { id } = await add({ settings: { region: "ie1", baseUrl: "https://8.8.8.8" } });
    const away = { settings: { baseUrl: "https://9.9.9.9" } };
    for (const credentials of [undefined, { authToken: "guess" }]) {
      const error = await refusal(change(id, { ...away, ...(credentials ? { credentials } : {}) }));
      expect(error.errors.map(({ code }) => code)).toContain("required_again");
      expect(error.errors[0]?.pointer).toBe("/credentials/accountSid");
    }
    expect((await getProvider(owner, { id })).settings).toMatchObject({ baseUrl: "https://8.8.8.8" });
    expect((await change(id, { ...away, credentials: account })).settings).toMatchObject({
      baseUrl: "https://9.9.9.9",
    });
    // The provider's own address counts as a new address, too.
    expect((await refusal(change(id, { settings: { baseUrl: null } }))).code).toBe("invalid_request");
    // What is not an address needs no credentials.
    await change(id, { settings: { messagingServiceSid: `MG${"0".repeat(32)}` } });
  });

  it("may keep a region that is no longer allowed, but not be switched on or moved there", async () => {
    const { id } = await add();
    await database.owner.query(
      `UPDATE provider_connections SET processing_region = 'US', settings = '{"region":"us1"}', updated_at = now() + interval '1 second' WHERE id = $1`,
      [id],
    );
    expect(await change(id, { name: `Old ${id}`, enabled: false })).toMatchObject({ regionAllowed: false });
    expect((await refusal(change(id, { enabled: true }))).code).toBe("region_not_allowed");
    expect(await change(id, { settings: { region: "ie1" }, enabled: true })).toMatchObject({
      processingRegion: "EU",
      regionAllowed: true,
    });
  });

  it("can be fixed, renamed and deleted even if it cannot be read", async () => {
    const { id } = await add();
    await database.owner.query(
      "UPDATE provider_connections SET credentials = '\\x00', updated_at = now() + interval '1 second' WHERE id = $1",
      [id],
    );
    expect((await getProvider(owner, { id })).problem).toContain("can't be read");
    expect((await listProviders(owner)).data.some((each) => each.id === id)).toBe(true);
    await change(id, { name: `Broken ${id}` });
    expect(await pointers(change(id, { credentials: { authToken: "x" } }))).toEqual([
      "/credentials/accountSid",
    ]);
    expect((await change(id, { credentials: account })).problem).toBeNull();
    await deleteProvider(owner, { id });
  });
});

describe("a connection that moves to another team", () => {
  it("does not go on bringing its messages to the old one", async () => {
    const { id } = await add({ unit: "alpha", inbound: { application: "shop", environment: "production" } });
    expect(await pointers(change(id, { unit: "beta" }))).toEqual(["/inbound"]);
    expect(await change(id, { unit: null })).toMatchObject({ inbound: { application: "shop" } });
    expect(await change(id, { unit: "beta", inbound: null })).toMatchObject({ unit: "beta", inbound: null });
  });
});

describe("a connection that is deleted", () => {
  it("is not, while rules send through it, unless forced, and then the answer names the rules without a connection", async () => {
    const first = await add();
    const second = await add();
    await world.addRule("production", [[first.id], [second.id]], { channel: "sms" });
    await world.addRule("staging", [[first.id]]);
    expect((await getProvider(owner, first)).rules).toMatchObject([
      { environment: "staging", tier: 1, unroutable: true },
      { name: "All SMS", environment: "production", tier: 1, unroutable: false },
    ]);
    expect((await getProvider(owner, second)).rules).toMatchObject([{ tier: 2, unroutable: false }]);
    const error = await refusal(deleteProvider(owner, first));
    expect(error.code).toBe("connection_in_use");
    expect(error.message).toContain("All SMS (production)");
    expect(error.message).toContain("one of them has no other connection");
    expect(error.extra).toMatchObject({ rules: [{}, {}], hiddenRules: 0 });
    expect((await getProvider(owner, first)).id).toBe(first.id);
    const gone = await deleteProvider(owner, { id: first.id, force: true });
    expect(gone.rules.map(({ environment, unroutable }) => [environment, unroutable]).sort()).toEqual([
      ["production", false],
      ["staging", true],
    ]);
    expect((await refusal(getProvider(owner, first))).code).toBe("not_found");
    expect((await tenantConnections(tenant.system)).has(first.id)).toBe(false);
    expect((await audits(first.id)).at(-1)).toMatchObject({ action: "provider.deleted" });
  });

  it("leaves messages, attempts and costs readable", async () => {
    const made = await add();
    const id = messageId(await world.send());
    await world.advance(id, claimOver(made.id, newId(), made.name));
    await world.advance(id, notTakenBy(1, "unknown", { code: "provider_timeout" }));
    await world.advance(id, becomes("undetermined"));
    await deleteProvider(owner, { id: made.id });
    const timeline = await getTimeline(owner, { id });
    expect(timeline.attempts).toMatchObject([{ connectionId: made.id, provider: made.name }]);
    await foldMetrics(database.worker);
    const report = await deliveryReport(owner, { groupBy: ["provider"] });
    expect(report.groups.map(({ key }) => key.provider?.value)).toContain(made.id);
  });

  it("counts rules of teams that the caller cannot see without naming them", async () => {
    const made = await add();
    await world.addRule("production", [[made.id]]);
    await database.owner.query(
      "UPDATE routing_rules SET application_id = $2, name = 'Secret' WHERE tenant_id = $1 AND tiers::text LIKE $3",
      [tenant.tenantId, tenant.otherApplication.id, `%${made.id}%`],
    );
    const seen = await getProvider(tenant.as("operator", tenant.units.alpha), made);
    expect([seen.rules, seen.hiddenRules]).toEqual([[], 1]);
    expect((await getProvider(owner, made)).rules).toMatchObject([{ name: "Secret" }]);
  });
});

describe("the sandbox's simulator", () => {
  it("exists once, and stays as the sandbox needs it", async () => {
    const other = await makeSendingWorld(database);
    const boss = other.tenant.as("owner");
    const made = await createProvider(
      boss,
      providerCreateSchema.parse({ name: "Simulator", provider: "simulator" }),
    );
    expect(made).toMatchObject({ processingRegion: "EU", callback: null });
    expect(
      (
        await refusal(
          createProvider(boss, providerCreateSchema.parse({ name: "Another", provider: "simulator" })),
        )
      ).code,
    ).toBe("conflict");
    expect((await refusal(deleteProvider(boss, { id: made.id, force: true }))).code).toBe("conflict");
    for (const changes of [
      { enabled: false },
      { channels: ["sms"] },
      { unit: "alpha" },
      { credentials: { signingKey: "x".repeat(32) } },
      { processingRegion: "EU" },
    ]) {
      const error = await refusal(change(made.id, changes, boss));
      expect([error.code, error.errors[0]?.pointer]).toEqual([
        "conflict",
        `/${Object.keys(changes)[0] ?? ""}`,
      ]);
    }
    const senders = [{ channel: "sms", sender: "ACME" }];
    expect(await change(made.id, { name: "Sandbox", senders }, boss)).toMatchObject({
      name: "Sandbox",
      senders,
    });
  });
});

describe("a connection to an HTTP provider", () => {
  const secret = "the-stored-secret";
  const settings = {
    url: "https://8.8.8.8/send",
    headers: "Authorization: Bearer {{ secrets.key }}",
    body: '{"to":"{{ to }}","text":"{{ text }}"}',
  };
  const addHttp = (more: Record<string, unknown> = {}) =>
    createProvider(
      owner,
      providerCreateSchema.parse({
        name: `HTTP ${newId().slice(-8)}`,
        provider: "http",
        channels: ["sms"],
        processingRegion: "EU",
        credentials: { secrets: `key = ${secret}` },
        settings: { ...settings, ...more },
      }),
    );

  it("holds secrets in headers alone, whatever its body and address try", async () => {
    for (const [field, value] of [
      ["body", '{"text":"{{ secrets.key }}"}'],
      ["body", '{"text":"{% if secrets.key == text %}a{% endif %}"}'],
      ["body", '{"text":{{ ["secrets"] | json }}}'],
      ["url", "https://8.8.8.8/send?key={{ secrets.key }}"],
    ] as const) {
      const refused = await refusal(addHttp({ [field]: value }));
      expect(refused.errors, value).toMatchObject([
        { pointer: `/settings/${field}`, code: "misplaced_secret" },
      ]);
      expect(refused.errors[0]?.detail).toContain("header");
    }
  });

  it("asks for the secrets again when the request around them changes, and for nothing else", async () => {
    const made = await addHttp();
    for (const changed of [
      { body: '{"to":"{{ to }}","message":"{{ text }}"}' },
      { headers: "Authorization: Bearer {{ secrets.key }}\nX-Sms-Text: {{ secrets.key }}" },
      { method: "PUT" },
      { contentType: "text/plain" },
      { url: "https://8.8.8.8/other" },
    ]) {
      const refused = await refusal(change(made.id, { settings: changed }));
      expect(refused.errors, JSON.stringify(changed)).toMatchObject([
        { pointer: "/credentials/secrets", code: "required_again" },
      ]);
      await change(made.id, { settings: changed, credentials: { secrets: "key = entered again" } });
      await change(made.id, {
        settings: { ...settings, method: null, contentType: null },
        credentials: { secrets: `key = ${secret}` },
      });
    }
    await change(made.id, { settings: { timeoutSeconds: 5, ...settings } });
    await change(made.id, { name: `Renamed ${newId().slice(-6)}` });
  });

  it("that was saved when bodies could hold secrets goes on sending, and asks to move them at its next change", async () => {
    const made = await addHttp();
    await database.owner.query(
      `UPDATE provider_connections SET settings = settings || '{"body":"{\\"key\\":\\"{{ secrets.key }}\\"}"}', updated_at = now() + interval '1 second' WHERE id = $1`,
      [made.id],
    );
    forgetConnections(tenant.tenantId);
    expect((await tenantConnections(tenant.system)).has(made.id)).toBe(true);
    await change(made.id, { name: `Old ${newId().slice(-6)}` });
    const refused = await refusal(change(made.id, { settings: { timeoutSeconds: 5 } }));
    expect(refused.errors).toMatchObject([{ pointer: "/settings/body", code: "misplaced_secret" }]);
  });
});

describe("the operator's own channel", () => {
  it("shows no settings, takes no credentials and is not deleted by a tenant", async () => {
    const made = await add();
    await database.owner.query(
      `WITH given AS (
         INSERT INTO platform_channels (id, name, adapter, channels, credentials, processing_region, updated_at)
         VALUES ($2, 'House', 'twilio', '{sms,whatsapp}', '', 'EU', now()) RETURNING id
       ) UPDATE provider_connections SET platform_channel_id = (SELECT id FROM given) WHERE id = $1`,
      [made.id, newId()],
    );
    expect(await getProvider(owner, made)).toMatchObject({
      platform: true,
      settings: {},
      credentialsSet: [],
      callback: null,
    });
    for (const changes of [
      { credentials: account },
      { settings: {} },
      { senders: [] },
      { ratePerSecond: 1 },
      { priceList: [] },
    ]) {
      expect((await refusal(change(made.id, changes))).code).toBe("conflict");
    }
    expect((await refusal(deleteProvider(owner, made))).code).toBe("conflict");
    expect((await change(made.id, { enabled: false })).enabled).toBe(false);
  });
});
