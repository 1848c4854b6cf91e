/** The tokens of messages and of webhooks, checked by Vonage's own library. */
import { verifySignature } from "@vonage/jwt";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { describe, expect, it } from "vitest";
import { FAKE_VONAGE, webhookAuthorization } from "../../testing/fake-vonage.ts";
import { vonageCallbacks } from "../../testing/provider-cases/vonage.ts";
import { parseVonageCallback } from "./vonage-callback.ts";
import { vonageToken } from "./vonage-token.ts";

const { publicKey, signatureSecret, applicationId, privateKey } = FAKE_VONAGE;
const credentials = { applicationId, privateKey, signatureSecret };

describe("the token of a message", () => {
  it("is the application's, under its key, as Vonage's own library checks it", async () => {
    const token = (await vonageToken(credentials)) ?? "";
    expect(verifySignature(token, publicKey)).toBe(true);
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: "RS256", typ: "JWT" });
    const { application_id: id, jti, iat = 0, exp = 0 } = decodeJwt(token);
    expect(id).toBe(credentials.applicationId);
    expect(jti).toMatch(/^[0-9a-f-]{36}$/);
    expect(exp - iat).toBe(900);
  });

  it("serves many messages, and is renewed while it is still good", async () => {
    const now = Date.now() + 3_600_000;
    const first = await vonageToken(credentials, now);
    expect(await vonageToken(credentials, now + 599_000)).toBe(first);
    const next = (await vonageToken(credentials, now + 601_000)) ?? "";
    expect(next).not.toBe(first);
    expect((decodeJwt(next).exp ?? 0) * 1_000).toBeGreaterThan(now + 601_000 + 300_000);
  });

  it("is another for another application", async () => {
    const other = { ...credentials, applicationId: "bbbbbbbb-bbbb-4ccc-8ddd-0123456789ab" };
    expect(await vonageToken(other)).not.toBe(await vonageToken(credentials));
  });

  it("is made from a key whose line breaks are written out", async () => {
    const token = await vonageToken({
      ...credentials,
      privateKey: credentials.privateKey.replaceAll("\n", "\\n"),
    });
    expect(verifySignature(token ?? "", publicKey)).toBe(true);
  });
});

it("the token of a webhook is one that Vonage's own library accepts, in any case of its scheme", async () => {
  const request = await vonageCallbacks.request(vonageCallbacks.genuine);
  const authorization = await webhookAuthorization(request.rawBody);
  expect(verifySignature(authorization.slice("Bearer ".length), signatureSecret)).toBe(true);
  for (const written of [authorization, authorization.replace("Bearer", "bearer")]) {
    const headers = { authorization: written };
    expect(await parseVonageCallback(FAKE_VONAGE, { ...request, headers })).toMatchObject({
      authentic: true,
      receipts: [{}],
    });
  }
});
