import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startFaultyServer } from "../../testing/faulty-server.ts";
import type { FaultyAnswer, FaultyServer } from "../../testing/faulty-server.ts";
import {
  EMAIL_NOTIFICATION_ID,
  emailMessage,
  loopbackClient,
  PDF,
  UNSUBSCRIBE_HEADERS,
} from "../../testing/outbound-email.ts";
import { descriptionFile, serveDescription } from "../../testing/prism.ts";
import type { ServedDescription } from "../../testing/prism.ts";
import type { Connection, OutboundMessage } from "../adapter.ts";
import { sendgridSettingsSchema } from "./schemas.ts";
import type { SendgridCredentials, SendgridSettings } from "./schemas.ts";
import { sendgridRefusal } from "./sendgrid-errors.ts";
import { sendgridAdapter } from "./sendgrid.ts";

const KEY =
  "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE83T4O/n84iotIvIW4mdBgQ/7dAfSmpqIM8kF9mN1flpVKS3GRqe62gw+2fNNRaINXvVpiglSI8eNEc6wEA3F+g==";
const http = loopbackClient();
const running: FaultyServer[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});
afterAll(() => http.close());

const connection = (
  baseUrl: string,
  settings: Partial<SendgridSettings> = {},
): Connection<SendgridCredentials, SendgridSettings> => ({
  id: "c1",
  credentials: { apiKey: "SG.secret" },
  settings: { region: "global", baseUrl, ...settings },
});

async function provider(answer: FaultyAnswer): Promise<FaultyServer> {
  const server = await startFaultyServer({ answer: () => answer });
  running.push(server);
  return server;
}

const accepted: FaultyAnswer = { status: 202, headers: { "x-message-id": "14c5d75ce93.dfd.64b469" } };
const refusal = (status: number, errors: unknown): FaultyAnswer => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ errors }),
});

describe("sending through SendGrid", () => {
  it("hands over every part, and what its events will find the notification by", async () => {
    const server = await provider(accepted);
    const message = emailMessage({ headers: UNSUBSCRIBE_HEADERS, attachments: [PDF] });
    const outcome = await sendgridAdapter.send(
      connection(server.baseUrl, { verificationKey: KEY }),
      message,
      { http },
    );
    expect(outcome).toEqual({ kind: "sent", providerMessageId: "14c5d75ce93.dfd.64b469", final: false });
    const [request] = server.requests;
    expect(request).toMatchObject({ method: "POST", path: "/v3/mail/send" });
    expect(request?.headers).toMatchObject({
      authorization: "Bearer SG.secret",
      "content-type": "application/json",
    });
    expect(JSON.parse(request?.body ?? "")).toEqual({
      personalizations: [
        {
          to: [{ email: "ada@example.com" }],
          custom_args: { tidings_notification: EMAIL_NOTIFICATION_ID, tidings_attempt: "2" },
        },
      ],
      from: { email: "shop@example.org", name: "Shop Zürich" },
      reply_to: { email: "help@example.org" },
      subject: "Grüße 👋",
      content: [
        { type: "text/plain", value: "Hallo Welt" },
        { type: "text/html", value: "<p>Hallo <b>Welt</b></p>" },
      ],
      headers: UNSUBSCRIBE_HEADERS,
      attachments: [
        {
          content: PDF.content.toString("base64"),
          type: "application/pdf",
          filename: "rechnung.pdf",
          disposition: "attachment",
        },
      ],
    });
  });

  it("is final where no event webhook is set up, and needs no id to have been accepted", async () => {
    const server = await provider({ status: 202 });
    const outcome = await sendgridAdapter.send(connection(server.baseUrl), emailMessage(), { http });
    expect(outcome).toEqual({ kind: "sent", providerMessageId: null, final: true });
  });

  it("refuses hostile parts and what is larger than SendGrid takes before anything leaves", async () => {
    const server = await provider(accepted);
    const large = { ...PDF, content: Buffer.alloc(23_000_000) };
    const send = (more: Partial<OutboundMessage>) =>
      sendgridAdapter.send(connection(server.baseUrl), emailMessage(more), { http });
    expect(await send({ to: "ada@example.com\r\nBcc: eve@evil.example" })).toMatchObject({
      kind: "not_sent",
      code: "invalid_recipient",
    });
    expect(await send({ headers: { bcc: "eve@evil.example" } })).toMatchObject({ code: "invalid_message" });
    expect(await send({ attachments: [large] })).toMatchObject({
      kind: "not_sent",
      retry: "failover",
      code: "message_too_large",
      detail: expect.stringContaining("SendGrid takes 30 MB") as string,
    });
    expect(server.requests).toHaveLength(0);
  });

  it.each([
    [400, "personalizations.0.to.0.email", "Does not contain a valid address.", "never", "invalid_recipient"],
    [400, "from.email", "The from email does not contain a valid address.", "failover", "sender_rejected"],
    [400, "subject", "The subject is required.", "failover", "provider_rejected"],
    [401, null, "The provided authorization grant is invalid", "failover", "provider_credentials"],
    [401, null, "Maximum credits exceeded", "failover", "provider_rate_limited"],
    [
      403,
      "from",
      "The from address does not match a verified Sender Identity.",
      "failover",
      "sender_rejected",
    ],
    [403, null, "access forbidden", "failover", "provider_credentials"],
    [413, null, "Request Entity Too Large", "failover", "message_too_large"],
    [429, null, "too many requests", "later", "provider_rate_limited"],
  ])("knows that status %i about %j was not sent: %s", async (status, field, words, retry, code) => {
    const server = await provider(
      refusal(status, [{ field, message: `${words} ada@example.com`, help: {} }]),
    );
    expect(await sendgridAdapter.send(connection(server.baseUrl), emailMessage(), { http })).toMatchObject({
      kind: "not_sent",
      retry,
      code,
      providerCode: String(status),
      providerMessage: `${words} [address]`,
    });
  });

  it("does not take the words of a server that failed for a refusal", () => {
    const body = Buffer.from(JSON.stringify({ errors: [{ message: "Maximum credits exceeded" }] }));
    expect(sendgridRefusal({ status: 503, headers: {}, body, truncated: false })).toMatchObject({
      kind: "unknown",
    });
  });

  it("waits until the limit is lifted", () => {
    const answer = { status: 429, body: Buffer.from(""), truncated: false };
    const headers = { "x-ratelimit-reset": "1700000030" };
    expect(sendgridRefusal({ ...answer, headers }, 1_700_000_000_000)).toMatchObject({
      retryAfterMs: 30_000,
    });
    expect(
      sendgridRefusal({ ...answer, headers: { ...headers, "retry-after": "5" } }, 1_700_000_000_000),
    ).toMatchObject({ retryAfterMs: 5_000 });
  });
});

describe("the connection test", () => {
  const test = async (answer: FaultyAnswer, settings: Partial<SendgridSettings> = {}) => {
    const server = await provider(answer);
    const result = await sendgridAdapter.test(connection(server.baseUrl, settings), { http });
    expect(server.requests.every(({ method, path }) => method === "GET" && path === "/v3/scopes")).toBe(true);
    return result;
  };
  const scopes = (...names: string[]): FaultyAnswer => ({
    status: 200,
    body: JSON.stringify({ scopes: names }),
  });

  it("tells whether the key may send", async () => {
    expect(await test(scopes("mail.send", "user.profile.read"), { verificationKey: KEY })).toEqual({
      ok: true,
    });
    expect(await test(scopes("mail.batch.create"))).toMatchObject({
      ok: false,
      problem: expect.stringContaining("Mail Send") as string,
    });
    expect(await test(refusal(401, [{ message: "authorization required" }]))).toMatchObject({
      ok: false,
      problem: expect.stringContaining("API key") as string,
    });
    expect(await test({ status: 200, body: "<html>" })).toMatchObject({ ok: false });
  });

  it("sees a verification key that could never verify anything", async () => {
    expect(await test(scopes("mail.send"), { verificationKey: "A".repeat(124) })).toMatchObject({
      ok: false,
      problem: expect.stringContaining("verification key") as string,
    });
  });
});

it("processes where its settings say", () => {
  expect(sendgridAdapter.regionOf(sendgridSettingsSchema.parse({ region: "eu" }))).toBe("EU");
  expect(sendgridAdapter.regionOf(sendgridSettingsSchema.parse({}))).toBe("US");
});

const description = descriptionFile("sendgrid.yaml");

describe.skipIf(description === null)("SendGrid's own API description", () => {
  let prism: ServedDescription;
  beforeAll(async () => {
    prism = await serveDescription(description ?? "");
  });
  afterAll(() => prism.close());

  it("refuses a wrong request (the probe that shows it checks at all)", async () => {
    const wrong = emailMessage({ subject: "" });
    expect(await sendgridAdapter.send(connection(prism.baseUrl), wrong, { http })).toMatchObject({
      kind: "not_sent",
      providerCode: "400",
    });
  });

  it.each<[string, Partial<OutboundMessage>]>([
    ["text and HTML", {}],
    ["text alone", { html: undefined, replyTo: undefined, senderId: "shop@example.org" }],
    ["HTML alone", { text: undefined }],
    ["headers and attachments", { headers: UNSUBSCRIBE_HEADERS, attachments: [PDF, PDF] }],
  ])("accepts %s", async (_what, more) => {
    const outcome = await sendgridAdapter.send(connection(prism.baseUrl), emailMessage(more), { http });
    expect(outcome).toMatchObject({ kind: "sent" });
  });
});
