import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Ctx } from "../kernel/ctx.ts";
import { createOutboundClient } from "../kernel/outbound-http.ts";
import { testDatabase } from "../testing/database.ts";
import { fakeSecret, startFakeShortener } from "../testing/fake-shortener.ts";
import type { FakeShortener } from "../testing/fake-shortener.ts";
import { makeTenant } from "../testing/factories.ts";
import { restClient } from "../testing/rest-client.ts";
import { getShortener } from "./get-shorteners.ts";
import type { ShortenerSettings, ShortenerUpdate } from "./schemas.ts";
import { testShortener } from "./test-shortener.ts";
import { updateShortener } from "./update-shortener.ts";

const database = await testDatabase();
const tenant = await makeTenant(database, { settings: { allowedTransferRegions: ["US"] } });
const rest = restClient(database.web);
const http = createOutboundClient({ allow: ["127.0.0.0/8"], userAgent: "Tidings tests" });

let service: FakeShortener;
beforeAll(async () => {
  service = await startFakeShortener();
});
afterAll(async () => {
  await service.close();
  await http.close();
});

const bitly = (): ShortenerUpdate => ({
  kind: "bitly",
  secret: fakeSecret,
  processingRegion: "US",
  domain: "go.shop.example",
  account: "Bk1abc",
  baseUrl: service.baseUrl,
});
const choose = (update: ShortenerUpdate, environment = "production", ctx: Ctx = tenant.system) =>
  updateShortener(ctx, { ...update, environment });
const row = async () =>
  (
    await database.owner.query<{ credentials: Buffer | null; kind: string }>(
      "SELECT * FROM shorteners WHERE tenant_id = $1 AND environment_id = $2",
      [tenant.tenantId, tenant.environments.production],
    )
  ).rows[0];

test("an environment has the built-in shortener by default", async () => {
  expect(await getShortener(tenant.system, { environment: "staging" })).toMatchObject({
    kind: "built_in",
    validDays: 90,
    example: "http://localhost:3000/l/xxxxxxxxxxx",
    updatedAt: null,
  });
});

describe("choosing a service", () => {
  test("keeps the secret sealed and hidden, and records who chose it in the audit trail", async () => {
    const saved = await choose(bitly(), "production", tenant.as("administrator"));
    expect(saved).toMatchObject({
      kind: "bitly",
      hasSecret: true,
      example: "https://go.shop.example/xxxxxxx",
    });
    const { rows: audit } = await database.owner.query<{ data: unknown; actor_type: string }>(
      "SELECT * FROM audit_events WHERE action = 'shortener.updated' AND tenant_id = $1",
      [tenant.tenantId],
    );
    expect(audit).toMatchObject([
      {
        actor_type: "user",
        data: { before: { kind: "built_in" }, after: { kind: "bitly" }, secretChanged: true },
      },
    ]);
    const everything =
      JSON.stringify([saved, audit]) + ((await row())?.credentials?.toString("latin1") ?? "");
    expect(everything).not.toContain(fakeSecret);
  });

  test("keeps the previous secret when none is given, but never for another service or address", async () => {
    await choose(bitly());
    const before = (await row())?.credentials;
    const { secret: _, ...unchanged } = bitly();
    await choose({ ...unchanged, domain: null });
    expect((await row())?.credentials).toEqual(before);
    await expect(choose({ ...unchanged, kind: "tinyurl" })).rejects.toMatchObject({
      code: "invalid_request",
      errors: [{ pointer: "/secret" }],
    });
    await expect(choose({ ...unchanged, baseUrl: "https://elsewhere.example" })).rejects.toMatchObject({
      errors: [{ pointer: "/secret" }],
    });
    expect((await row())?.kind).toBe("bitly");
    await choose({ kind: "built_in" });
    expect((await row())?.credentials).toBeNull();
  });

  test("is refused when somebody has changed it since it was read, so that no secret is lost unseen", async () => {
    const read = await getShortener(tenant.system, { environment: "staging" });
    const saved = await choose({ ...bitly(), updatedAt: read.updatedAt }, "staging");
    await expect(
      choose({ kind: "built_in", validDays: 30, updatedAt: read.updatedAt }, "staging"),
    ).rejects.toMatchObject({ code: "revision_conflict" });
    const { secret: _, ...kept } = bitly();
    expect(await choose({ ...kept, domain: null, updatedAt: saved.updatedAt }, "staging")).toMatchObject({
      kind: "bitly",
      hasSecret: true,
      domain: null,
    });
    // Without what was read, what is given holds.
    expect(await choose({ kind: "built_in" }, "staging")).toMatchObject({ kind: "built_in" });
  });

  test("needs a region, and one that the organisation allows", async () => {
    await expect(choose({ ...bitly(), processingRegion: null })).rejects.toMatchObject({
      code: "invalid_request",
      errors: [{ pointer: "/processingRegion" }],
    });
    await expect(choose({ ...bitly(), processingRegion: "IN" })).rejects.toMatchObject({
      code: "region_not_allowed",
    });
  });

  test("is refused in the sandbox, which sends nothing outside", async () => {
    await expect(choose(bitly(), "sandbox")).rejects.toMatchObject({
      code: "invalid_request",
      errors: [{ pointer: "/kind" }],
    });
    expect(await choose({ kind: "none" }, "sandbox")).toMatchObject({ kind: "none", example: null });
  });

  test("is for those who manage the organisation's settings", async () => {
    for (const role of ["developer", "operator", "auditor"] as const) {
      await expect(choose({ kind: "none" }, "production", tenant.as(role))).rejects.toMatchObject({
        code: "permission_denied",
      });
    }
    await expect(
      choose({ kind: "none" }, "production", tenant.as("owner", tenant.units.alpha)),
    ).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("testing a service", () => {
  const probe = { environment: "production", url: "https://shop.example/a" };

  test("shortens an address by the service's contract and shows the link", async () => {
    await choose(bitly());
    const result = await testShortener(tenant.system, probe, { http });
    expect(result).toMatchObject({ ok: true, problem: null });
    expect(result.shortUrl).toMatch(/^https:\/\/go\.shop\.example\/abc\d+$/);
    expect(service.requests.at(-1)).toMatchObject({
      path: "/v4/shorten",
      body: { long_url: "https://shop.example/a", domain: "go.shop.example", group_guid: "Bk1abc" },
    });
    const after = await getShortener(tenant.system, { environment: "production" });
    expect([after.testProblem, after.testedAt === null]).toEqual([null, false]);
  });

  test("says what is wrong, and stores it", async () => {
    await choose({ ...bitly(), secret: "wrong" });
    const result = await testShortener(tenant.system, probe, { http });
    expect(result).toMatchObject({ ok: false, shortUrl: null });
    expect(result.problem).toBe("Bitly does not accept the credentials of this environment's shortener.");
    expect(await getShortener(tenant.system, { environment: "production" })).toMatchObject({
      testProblem: result.problem,
    });
  });

  test("is refused for the built-in shortener", async () => {
    await choose({ kind: "built_in" });
    await expect(testShortener(tenant.system, probe, { http })).rejects.toMatchObject({ code: "conflict" });
  });
});

test("the public API lists, changes and shows only the shortener of the key's environment", async () => {
  const { key } = await tenant.makeKey("production", { role: "owner" });
  const list = await rest.get<{ data: ShortenerSettings[] }>("/v1/shorteners", { key });
  expect(list.body.data.map(({ environment }) => environment)).toEqual(["production"]);
  const saved = await rest.put<ShortenerSettings>("/v1/shorteners/production", {
    key,
    json: { kind: "built_in", validDays: 30 },
  });
  expect([saved.status, saved.body]).toMatchObject([200, { kind: "built_in", validDays: 30 }]);
  expect((await rest.get("/v1/shorteners/staging", { key })).status).toBe(404);
  const wrong = await rest.put<{ errors: { pointer: string }[] }>("/v1/shorteners/production", {
    key,
    json: { kind: "bitly", domain: "not a host", validDays: 0, colour: "red" },
  });
  expect(wrong.status).toBe(422);
  expect(wrong.body.errors.map(({ pointer }) => pointer).sort()).toEqual(
    expect.arrayContaining(["/domain", "/validDays"]) as string[],
  );
});
