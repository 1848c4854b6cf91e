import { afterAll, describe, expect, it } from "vitest";
import type { Ctx } from "../kernel/ctx.ts";
import type { OutboundClient } from "../kernel/outbound-http.ts";
import { testDatabase } from "../testing/database.ts";
import { startFakeTwilio } from "../testing/fake-twilio.ts";
import { refusal } from "../testing/refusal.ts";
import { makeSendingWorld } from "../testing/sending-world.ts";
import { getProvider } from "./get-provider.ts";
import { forgetConnections } from "./load-connection.ts";
import { providerOperations } from "./operations.ts";
import { testUnsavedSchema } from "./schemas.ts";
import { testProvider, testUnsavedProvider } from "./test-provider.ts";

const database = await testDatabase();
const account = { accountSid: `AC${"a1".repeat(16)}`, authToken: "the-secret-token" };
const fake = await startFakeTwilio({ account });
afterAll(() => fake.close());

async function makeWorld() {
  const world = await makeSendingWorld(database);
  return { ...world, owner: world.tenant.as("owner") };
}
const unsaved = (ctx: Ctx, input: unknown, http?: OutboundClient) =>
  testUnsavedProvider(ctx, testUnsavedSchema.parse(input), http);

describe("testing a connection", () => {
  it("says what is wrong, records it with the connection, and changes nothing else", async () => {
    const { owner, addTwilio, http, tenantId } = await makeWorld();
    const { id } = await addTwilio(fake.baseUrl);
    const before = await getProvider(owner, { id });
    expect(before.lastTest).toBeNull();
    const result = await testProvider(owner, { id }, http);
    expect(result).toMatchObject({ ok: false, facts: [] });
    expect(result.problem).toContain("does not accept");
    const after = await getProvider(owner, { id });
    expect(after).toEqual({
      ...before,
      lastTest: { at: expect.any(String) as string, problem: result.problem },
    });
    const { rows } = await database.owner.query<{ data: unknown }>(
      "SELECT data FROM audit_events WHERE tenant_id = $1 AND action = 'provider.tested'",
      [tenantId],
    );
    expect(rows).toEqual([{ data: { name: before.name, ok: false } }]);
  });

  it("before it is saved uses the entered values, and stores none of them", async () => {
    const { owner, addTwilio, http } = await makeWorld();
    const { id } = await addTwilio(fake.baseUrl);
    const good = await unsaved(owner, { id, changes: { credentials: account } }, http);
    expect(good).toEqual({
      ok: true,
      problem: null,
      facts: expect.any(Array) as unknown[],
      warnings: [],
      judgement: null,
    });
    const detail = await getProvider(owner, { id });
    expect(detail.lastTest).toBeNull();
    expect((await testProvider(owner, { id }, http)).ok).toBe(false);
  });

  it("refuses what saving would refuse: closed networks, and stored credentials for a new address", async () => {
    const { owner, addTwilio } = await makeWorld();
    const { id } = await addTwilio(fake.baseUrl);
    const calls = fake.requests();
    const elsewhere = { id, changes: { settings: { baseUrl: "https://8.8.8.8" } } };
    expect((await refusal(unsaved(owner, elsewhere))).errors[0]?.code).toBe("required_again");
    const settings = { region: "ie1", baseUrl: fake.baseUrl };
    const inside = { provider: "twilio", credentials: account, settings };
    expect((await refusal(unsaved(owner, inside))).code).toBe("forbidden_address");
    expect(fake.requests()).toBe(calls);
  });

  it("is a result, not a failure, when nobody answers or credentials cannot be read", async () => {
    const { owner, addTwilio, http, tenantId } = await makeWorld();
    const dead = await addTwilio("http://127.0.0.1:9");
    expect(await testProvider(owner, { id: dead.id }, http)).toMatchObject({ ok: false });
    await database.owner.query(
      "UPDATE provider_connections SET credentials = '\\x00', updated_at = now() + interval '1 second' WHERE id = $1",
      [dead.id],
    );
    forgetConnections(tenantId);
    expect((await testProvider(owner, { id: dead.id }, http)).problem).toContain("cannot be read");
  });

  it("judges an answer of the provider as sending would, and warns of what would go wrong", async () => {
    const { owner } = await makeWorld();
    let calls = 0;
    const answer404 = { status: 404, headers: {}, body: Buffer.alloc(0), truncated: false };
    const http = {
      request: ({ method }: { method: string }) => {
        expect(method).toBe("HEAD");
        calls += 1;
        return Promise.resolve(answer404);
      },
    } as unknown as OutboundClient;
    const judged = async (settings: Record<string, unknown>, answer: Record<string, unknown>) =>
      (
        await unsaved(
          owner,
          {
            provider: "http",
            credentials: { secrets: "key = the-s3cret-key" },
            settings: { url: "https://8.8.8.8/send", body: "{}", ...settings },
            answer,
          },
          http,
        )
      ).judgement;
    const none = { detail: null, providerCode: null, providerMessage: null };
    expect(await judged({}, { status: 200, body: "ERR:invalid login" })).toEqual({
      outcome: "sent",
      providerMessageId: null,
      ...none,
      warnings: [
        expect.stringContaining("because of its status alone") as string,
        "No message ID is read from it.",
      ],
    });
    const text = { successText: "OK", idPattern: "^OK: (\\S+)", errorPattern: "^ERR:(.*)" };
    expect(await judged(text, { status: 200, body: "ERR:invalid login the-s3cret-key" })).toMatchObject({
      outcome: "not_sent",
      providerMessageId: null,
      providerCode: "200",
      providerMessage: expect.stringMatching(/^invalid login (?!the-s3cret)/) as string,
      warnings: [],
    });
    expect(await judged(text, { status: 200, body: "OK: 9007199254740993" })).toMatchObject({
      outcome: "sent",
      providerMessageId: "9007199254740993",
      warnings: [],
    });
    expect(
      await judged(
        { idHeader: "X-Id" },
        { status: 200, headers: "Content-Type: text/plain; charset=utf-16\nX-Id: h-1", body: "é" },
      ),
    ).toMatchObject({ outcome: "sent", providerMessageId: "h-1" });
    expect(await judged(text, { status: 502, body: "" })).toMatchObject({ outcome: "unknown" });
    expect(calls).toBe(5);
  });

  it("never shows credentials that a provider repeats", async () => {
    const { owner, addTwilio } = await makeWorld();
    const { id, authToken } = await addTwilio("https://8.8.8.8");
    const echoing = {
      request: () =>
        Promise.resolve({
          status: 200,
          headers: {},
          body: Buffer.from(JSON.stringify({ status: `token ${authToken} is bad` })),
          truncated: false,
        }),
    } as unknown as OutboundClient;
    const result = await testProvider(owner, { id }, echoing);
    expect(result.problem).toContain("•••");
    expect(JSON.stringify([result, await getProvider(owner, { id })])).not.toContain(authToken);
  });

  it("shows no part of them either, where numbers in a provider's words are masked", async () => {
    const { owner, addConnection } = await makeWorld();
    const authToken = "0abc1234567890def1234567890abcde";
    const id = await addConnection({
      adapter: "twilio",
      credentials: { accountSid: `AC${"1a".repeat(16)}`, authToken },
      settings: { region: "us1", baseUrl: "https://8.8.8.8" },
      channels: ["sms"],
    });
    const body = Buffer.from(JSON.stringify({ status: `token ${authToken} is bad` }));
    const answer = { status: 200, headers: {}, body, truncated: false };
    const echoing = { request: () => Promise.resolve(answer) } as unknown as OutboundClient;
    const { problem } = await testProvider(owner, { id }, echoing);
    expect(problem).toContain("token ••• is bad");
  });

  it("is for those who manage the connection, and rate limited", async () => {
    const { owner, tenant, addTwilio, http } = await makeWorld();
    const { id } = await addTwilio(fake.baseUrl, { unitId: tenant.units.alpha });
    expect(() => providerOperations.test.call(tenant.as("operator"), { id })).toThrow(
      expect.objectContaining({ code: "permission_denied" }),
    );
    const beta = tenant.as("owner", tenant.units.beta);
    expect((await refusal(testProvider(beta, { id }, http))).code).toBe("not_found");
    const results = await Promise.allSettled(
      Array.from({ length: 25 }, () => testProvider(owner, { id }, http)),
    );
    const refused = results.filter((result) => result.status === "rejected");
    expect(refused).toHaveLength(5);
    expect(refused[0]?.reason).toMatchObject({ code: "rate_limited" });
  });
});
