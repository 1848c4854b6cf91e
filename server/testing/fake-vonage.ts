/**
 * Speaks as much of Vonage's Messages API as sending needs, with Vonage's own error bodies. It checks the application's token
 * with Vonage's own library and signs the webhooks that it is asked for.
 */
import { createHash, generateKeyPairSync } from "node:crypto";
import { verifySignature } from "@vonage/jwt";
import { SignJWT } from "jose";
import { requestOf, startFakeProvider } from "./fake-provider.ts";
import type { FakeProvider, ProviderAnswer, ProviderCall } from "./fake-provider.ts";
import { misfits } from "./provider-contracts/contract.ts";
import { vonageContract } from "./provider-contracts/vonage.ts";

const pair = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});

export const FAKE_VONAGE = {
  applicationId: "aaaaaaaa-bbbb-4ccc-8ddd-0123456789ab",
  privateKey: pair.privateKey,
  publicKey: pair.publicKey,
  signatureSecret: "fake-signature-secret-of-32-chars",
  apiKey: "abcd1234",
  apiSecret: "fake-api-secret",
};

export type FakeVonage = FakeProvider & {
  messages: Record<string, unknown>[];
  /** Answers every message with this; undefined: as the message deserves. */
  answerWith: (answer: ProviderAnswer | undefined) => void;
};

export async function startFakeVonage(): Promise<FakeVonage> {
  const messages: Record<string, unknown>[] = [];
  let forced: ProviderAnswer | undefined;
  const provider = await startFakeProvider((call) => {
    if (call.path === "/account/get-balance") {
      const { apiKey, apiSecret } = FAKE_VONAGE;
      const expected = `Basic ${Buffer.from(`${apiKey}:${apiSecret}`).toString("base64")}`;
      if (call.headers.authorization !== expected) return problem(401, "unauthorized", "Unauthorized");
      return { status: 200, body: { value: 10.28, autoReload: false } };
    }
    if (call.path !== "/v1/messages" || call.method !== "POST") return problem(404, "not-found", "Not Found");
    if (!isToken(call)) return problem(401, "unauthorized", "You did not provide correct credentials.");
    if (forced) return forced;
    const wrong = misfits(vonageContract, requestOf(call));
    if (wrong.length > 0) return problem(422, "1150", wrong.join("; "));
    messages.push(JSON.parse(call.body) as Record<string, unknown>);
    return { status: 202, body: { message_uuid: uuid(messages.length) } };
  });
  return {
    ...provider,
    messages,
    answerWith: (answer) => {
      forced = answer;
    },
  };
}

/** As Vonage's errors are; `code` is the end of their type. */
export function problem(status: number, code: string, title: string, more: object = {}): ProviderAnswer {
  return {
    status,
    headers: { "content-type": "application/problem+json" },
    body: {
      type: `https://developer.vonage.com/api-errors/messages#${code}`,
      title,
      detail: `${title}.`,
      instance: "bf0ca0bf927b3b52e3cb03217e1a1ddf",
      ...more,
    },
  };
}

/** The Authorization header of a webhook with this body, as Vonage signs it. */
export async function webhookAuthorization(
  body: Buffer | string,
  options: { secret?: string; claims?: Record<string, unknown>; expiresIn?: string } = {},
): Promise<string> {
  const token = new SignJWT({
    api_key: FAKE_VONAGE.apiKey,
    application_id: FAKE_VONAGE.applicationId,
    payload_hash: createHash("sha256").update(body).digest("hex"),
    ...options.claims,
  })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setIssuedAt()
    .setIssuer("Vonage")
    .setJti("c5ba8f24-1a14-4c10-bfdf-3fbe8ce511b5");
  if (options.expiresIn !== undefined) token.setExpirationTime(options.expiresIn);
  const secret = new TextEncoder().encode(options.secret ?? FAKE_VONAGE.signatureSecret);
  return `Bearer ${await token.sign(secret)}`;
}

function isToken(call: ProviderCall): boolean {
  const token = String(call.headers.authorization).replace(/^Bearer /, "");
  if (!verifySignature(token, FAKE_VONAGE.publicKey)) return false;
  const [, payload = ""] = token.split(".");
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as Record<string, unknown>;
  return claims.application_id === FAKE_VONAGE.applicationId;
}

const uuid = (count: number): string => `aaaaaaaa-bbbb-4ccc-8ddd-${count.toString(16).padStart(12, "0")}`;
