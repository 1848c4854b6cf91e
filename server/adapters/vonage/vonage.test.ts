/** What is Vonage's own; what all adapters promise is in outgoing.test.ts. */
import { generateKeyPairSync } from "node:crypto";
import { afterAll, afterEach, beforeEach, expect, it } from "vitest";
import { FAKE_VONAGE, problem, startFakeVonage } from "../../testing/fake-vonage.ts";
import type { FakeVonage } from "../../testing/fake-vonage.ts";
import { loopbackClient } from "../../testing/outbound-email.ts";
import { phoneMessage } from "../../testing/outbound-phone.ts";
import type { Connection } from "../adapter.ts";
import type { VonageCredentials, VonageSettings } from "./schemas.ts";
import { vonageAdapter } from "./vonage.ts";

const http = loopbackClient();
let vonage: FakeVonage;
beforeEach(async () => {
  vonage = await startFakeVonage();
});
afterEach(() => vonage.close());
afterAll(() => http.close());

const { publicKey: _ours, apiKey, apiSecret, ...application } = FAKE_VONAGE;
const connection = (
  more: Partial<VonageCredentials> = {},
): Connection<VonageCredentials, VonageSettings> => ({
  id: "c1",
  credentials: { ...application, ...more },
  settings: { region: "global", baseUrl: vonage.baseUrl },
});

it("names the parameter that Vonage refuses, without the recipient", async () => {
  const invalid_parameters = [{ name: "image.url", reason: "is required for +4915112345678." }];
  vonage.answerWith(problem(422, "1150", "Invalid params", { invalid_parameters }));
  expect(await vonageAdapter.send(connection(), phoneMessage(), { http })).toMatchObject({
    providerMessage: "Invalid params. image.url is required for [number].",
  });
});

it("tells good credentials from bad ones without sending, and the balance where it may", async () => {
  const test = (more: Partial<VonageCredentials>) => vonageAdapter.test(connection(more), { http });
  expect(await test({})).toEqual({ ok: true });
  expect(await test({ apiKey, apiSecret })).toEqual({
    ok: true,
    facts: [{ label: "Balance", value: "10.28 EUR" }],
  });
  expect(await test({ apiKey, apiSecret: "wrong" })).toMatchObject({
    ok: false,
    problem: expect.stringContaining("API key") as string,
  });
  expect(await test({ applicationId: "bbbbbbbb-bbbb-4ccc-8ddd-0123456789ab" })).toMatchObject({
    ok: false,
    problem: expect.stringContaining("application ID") as string,
  });
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  expect(await test({ privateKey })).toMatchObject({ ok: false });
  expect(vonage.messages).toEqual([]);
});

it("says so when the private key cannot be read", async () => {
  const broken = connection({ privateKey: "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END" });
  expect(await vonageAdapter.send(broken, phoneMessage(), { http })).toMatchObject({
    kind: "not_sent",
    retry: "failover",
    code: "provider_credentials",
  });
  expect(await vonageAdapter.test(broken, { http })).toMatchObject({
    ok: false,
    problem: expect.stringContaining("private key") as string,
  });
  expect(vonage.calls).toEqual([]);
});
