import { createHash } from "node:crypto";
import type { Server } from "node:http";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import startLocalSes from "aws-ses-v2-local";
import PostalMime from "postal-mime";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { startFaultyServer } from "../../testing/faulty-server.ts";
import type { FaultyAnswer, FaultyServer } from "../../testing/faulty-server.ts";
import {
  EMAIL_NOTIFICATION_ID,
  emailMessage,
  loopbackClient,
  PDF,
  UNSUBSCRIBE_HEADERS,
} from "../../testing/outbound-email.ts";
import { descriptionFile } from "../../testing/prism.ts";
import { SNS_TOPIC } from "../../testing/sns-fixture.ts";
import type { Connection, OutboundMessage } from "../adapter.ts";
import { signAws } from "./aws-signature.ts";
import type { SesCredentials, SesSettings } from "./schemas.ts";
import { sesAdapter } from "./ses.ts";

const MESSAGE_ID = "010701934c0f7c3a-2f6d2f0e-0000-4000-8000-000000000000-000000";
const http = loopbackClient();
const running: FaultyServer[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});
afterAll(() => http.close());

const connection = (
  baseUrl: string | undefined,
  settings: Partial<SesSettings> = {},
): Connection<SesCredentials, SesSettings> => ({
  id: "c1",
  credentials: { accessKeyId: "AKIDEXAMPLEKEY123", secretAccessKey: "s3cret" },
  settings: { region: "eu-central-1", ...(baseUrl === undefined ? {} : { baseUrl }), ...settings },
});

const json = (status: number, value: unknown, headers: Record<string, string> = {}): FaultyAnswer => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(value),
});

async function provider(answer: FaultyAnswer): Promise<FaultyServer> {
  const server = await startFaultyServer({ answer: () => answer });
  running.push(server);
  return server;
}

describe("sending through Amazon SES", () => {
  it("hands over simple content with the configuration set and what its events will find the notification by", async () => {
    const server = await provider(json(200, { MessageId: MESSAGE_ID }));
    const settings = { configurationSet: "tidings", topicArn: SNS_TOPIC };
    const outcome = await sesAdapter.send(connection(server.baseUrl, settings), emailMessage(), { http });
    expect(outcome).toEqual({ kind: "sent", providerMessageId: MESSAGE_ID, final: false });
    const [request] = server.requests;
    expect(request).toMatchObject({ method: "POST", path: "/v2/email/outbound-emails" });
    expect(request?.headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLEKEY123\/\d{8}\/eu-central-1\/ses\/aws4_request, SignedHeaders=accept;content-type;host;x-amz-content-sha256;x-amz-date, Signature=[0-9a-f]{64}$/,
    );
    expect(request?.headers["x-amz-content-sha256"]).toBe(
      createHash("sha256")
        .update(request?.body ?? "")
        .digest("hex"),
    );
    const part = (Data: string) => ({ Data, Charset: "UTF-8" });
    expect(JSON.parse(request?.body ?? "")).toEqual({
      FromEmailAddress: `=?UTF-8?B?${Buffer.from("Shop Zürich").toString("base64")}?= <shop@example.org>`,
      Destination: { ToAddresses: ["ada@example.com"] },
      ReplyToAddresses: ["help@example.org"],
      Content: {
        Simple: {
          Subject: part("Grüße 👋"),
          Body: { Text: part("Hallo Welt"), Html: part("<p>Hallo <b>Welt</b></p>") },
        },
      },
      ConfigurationSetName: "tidings",
      EmailTags: [
        { Name: "tidings_notification", Value: EMAIL_NOTIFICATION_ID },
        { Name: "tidings_attempt", Value: "2" },
      ],
    });
  });

  it("hands over MIME for headers and attachments, to the one recipient", async () => {
    const server = await provider(json(200, { MessageId: MESSAGE_ID }));
    const message = emailMessage({ headers: UNSUBSCRIBE_HEADERS, attachments: [PDF] });
    const outcome = await sesAdapter.send(connection(server.baseUrl), message, { http });
    expect(outcome).toMatchObject({ kind: "sent", final: true });
    const body = JSON.parse(server.requests[0]?.body ?? "") as {
      Content: { Raw: { Data: string } };
    };
    expect(body).toMatchObject({
      FromEmailAddress: "shop@example.org",
      Destination: { ToAddresses: ["ada@example.com"] },
    });
    const mail = await PostalMime.parse(Buffer.from(body.Content.Raw.Data, "base64"));
    expect(mail).toMatchObject({
      from: { name: "Shop Zürich", address: "shop@example.org" },
      subject: "Grüße 👋",
      html: expect.stringContaining("<b>Welt</b>") as string,
      text: expect.stringContaining("Hallo Welt") as string,
      attachments: [{ filename: "rechnung.pdf", mimeType: "application/pdf" }],
    });
    expect(mail.headers).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          key: "list-unsubscribe",
          value: UNSUBSCRIBE_HEADERS["List-Unsubscribe"],
        }),
        expect.objectContaining({ key: "list-unsubscribe-post", value: "List-Unsubscribe=One-Click" }),
      ]),
    );
  });

  it("refuses hostile parts and what is larger than SES takes before anything leaves", async () => {
    const server = await provider(json(200, { MessageId: MESSAGE_ID }));
    const send = (more: Partial<OutboundMessage>) =>
      sesAdapter.send(connection(server.baseUrl), emailMessage(more), { http });
    expect(await send({ to: "ada@example.com, eve@evil.example" })).toMatchObject({
      code: "invalid_recipient",
    });
    expect(await send({ html: "x".repeat(40_000_001) })).toMatchObject({ code: "message_too_large" });
    expect(await send({ attachments: [{ ...PDF, content: Buffer.alloc(31_000_000) }] })).toMatchObject({
      kind: "not_sent",
      retry: "failover",
      code: "message_too_large",
    });
    expect(server.requests).toHaveLength(0);
  });

  it.each([
    [400, "MailFromDomainNotVerifiedException", "no", "failover", "sender_rejected"],
    [400, "MessageRejected", "Email address is not verified.", "failover", "sender_rejected"],
    [400, "MessageRejected", "Illegal content", "never", "content_rejected"],
    [400, "AccountSuspendedException", "no", "failover", "account_restricted"],
    [400, "SendingPausedException", "no", "failover", "account_restricted"],
    [400, "BadRequestException", "no", "failover", "provider_rejected"],
    [404, "NotFoundException", "Configuration set does not exist", "failover", "provider_rejected"],
    [429, "TooManyRequestsException", "Maximum sending rate exceeded.", "later", "provider_rate_limited"],
    [429, "TooManyRequestsException", "Daily message quota exceeded.", "failover", "provider_rate_limited"],
    [403, "InvalidSignatureException", "no", "failover", "provider_credentials"],
    [403, "UnrecognizedClientException", "no", "failover", "provider_credentials"],
    [400, "ExpiredTokenException", "no", "failover", "provider_credentials"],
  ])("knows that %i %s (%s) was not sent: %s", async (status, name, message, retry, code) => {
    const type = `${name}:http://internal.amazon.com/coral/com.amazonaws.ses/`;
    const server = await provider(json(status, { message }, { "x-amzn-errortype": type }));
    expect(await sesAdapter.send(connection(server.baseUrl), emailMessage(), { http })).toMatchObject({
      kind: "not_sent",
      retry,
      code,
      providerCode: name,
      providerMessage: message,
    });
  });
});

describe("the signature", () => {
  const key = {
    accessKeyId: "AKIDEXAMPLE",
    secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
    region: "us-east-1",
  };
  const at = new Date("2015-08-30T12:36:00Z");

  it("is the one that AWS published for its test requests", async () => {
    const vanilla = await signAws(
      { method: "POST", url: "https://example.amazonaws.com/", headers: {} },
      { ...key, service: "service" },
      at,
    );
    expect(vanilla.headers).toEqual({
      host: "example.amazonaws.com",
      "x-amz-date": "20150830T123600Z",
      authorization:
        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b",
    });
    const listUsers = await signAws(
      {
        method: "GET",
        url: "https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08",
        headers: { "content-type": "application/x-www-form-urlencoded; charset=utf-8" },
      },
      { ...key, service: "iam" },
      at,
    );
    expect(listUsers.headers.authorization).toContain(
      "Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7",
    );
  });

  it("covers the body and is made for Amazon's host of the region", async () => {
    const seen: { url: string; headers: Record<string, string> }[] = [];
    const recorder = {
      ...http,
      request: ({ url, headers = {} }: Parameters<typeof http.request>[0]) => {
        seen.push({ url, headers });
        const body = Buffer.from(JSON.stringify({ MessageId: MESSAGE_ID }));
        return Promise.resolve({ status: 200, headers: {}, body, truncated: false });
      },
    };
    vi.useFakeTimers({ now: at, toFake: ["Date"] });
    try {
      for (const text of ["a", "b"]) {
        await sesAdapter.send(connection(undefined), emailMessage({ text }), { http: recorder });
      }
    } finally {
      vi.useRealTimers();
    }
    const [first, second] = seen;
    expect(first?.url).toBe("https://email.eu-central-1.amazonaws.com/v2/email/outbound-emails");
    expect(first?.headers.host).toBe("email.eu-central-1.amazonaws.com");
    expect(first?.headers["x-amz-date"]).toBe(second?.headers["x-amz-date"]);
    expect(first?.headers.authorization).not.toBe(second?.headers.authorization);
  });
});

describe("the connection test", () => {
  const test = async (answer: FaultyAnswer) => {
    const server = await provider(answer);
    const result = await sesAdapter.test(connection(server.baseUrl), { http });
    expect(server.requests[0]).toMatchObject({ method: "GET", path: "/v2/email/account" });
    return result;
  };
  const account = {
    SendingEnabled: true,
    ProductionAccessEnabled: true,
    EnforcementStatus: "HEALTHY",
    SendQuota: { Max24HourSend: 50_000, MaxSendRate: 14, SentLast24Hours: 120 },
  };

  it("tells what the account may do", async () => {
    expect(await test(json(200, account))).toEqual({
      ok: true,
      facts: [
        { label: "Account", value: "Production access" },
        { label: "Messages in 24 hours", value: "120, 50000 allowed" },
        { label: "Messages a second", value: "14" },
      ],
    });
    const sandbox = { ...account, ProductionAccessEnabled: false, EnforcementStatus: "PROBATION" };
    expect(await test(json(200, sandbox))).toMatchObject({
      ok: true,
      facts: [{ value: expect.stringContaining("Sandbox") as string }, { label: "Review" }, {}, {}],
    });
  });

  it.each<[string, FaultyAnswer, string]>([
    ["sending is paused", json(200, { ...account, SendingEnabled: false }), "paused"],
    ["the account is shut down", json(200, { ...account, EnforcementStatus: "SHUTDOWN" }), "paused"],
    [
      "the policy is too narrow",
      json(403, { message: "no" }, { "x-amzn-errortype": "AccessDeniedException" }),
      "ses:SendRawEmail",
    ],
    [
      "the secret is wrong",
      json(403, { message: "no" }, { "x-amzn-errortype": "InvalidSignatureException" }),
      "secret access key",
    ],
    [
      "the key is unknown",
      json(403, { message: "no" }, { "x-amzn-errortype": "UnrecognizedClientException" }),
      "access key",
    ],
    ["it is not Amazon", { status: 200, body: "<html>" }, "Amazon"],
  ])("says that %s", async (_what, answer, words) => {
    expect(await test(answer)).toMatchObject({
      ok: false,
      problem: expect.stringContaining(words) as string,
    });
  });
});

it.each([
  ["eu-central-1", "EU"],
  ["eu-west-2", "GB"],
  ["eu-central-2", "CH"],
  ["us-gov-west-1", "US"],
  ["ca-west-1", "CA"],
  ["ap-southeast-2", "AU"],
  ["xx-nowhere-1", null],
])("%s processes in %s", (region, expected) => {
  expect(sesAdapter.regionOf({ region })).toBe(expected);
});

describe("a local SES", () => {
  let server: Server;
  let baseUrl = "";
  beforeAll(async () => {
    server = await startLocalSes({ host: "127.0.0.1", port: 0 });
    if (!server.listening) await new Promise((ready) => server.once("listening", ready));
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  it("refuses a wrong request (the probe that shows it checks at all)", async () => {
    const outcome = await sesAdapter.send(connection(baseUrl), emailMessage({ subject: "" }), { http });
    expect(outcome).toMatchObject({ kind: "not_sent", providerMessage: "Bad Request Exception" });
  });

  it("receives both kinds of content", async () => {
    const simple = await sesAdapter.send(connection(baseUrl), emailMessage(), { http });
    const more = { headers: UNSUBSCRIBE_HEADERS, attachments: [PDF] };
    const raw = await sesAdapter.send(connection(baseUrl), emailMessage(more), { http });
    const answer = await http.request({ method: "GET", url: `${baseUrl}/store` });
    const { emails } = JSON.parse(answer.body.toString()) as {
      emails: { messageId: string; attachments: unknown[]; [part: string]: unknown }[];
    };
    for (const [outcome, attachments] of [
      [simple, 0],
      [raw, 1],
    ] as const) {
      const id = outcome.kind === "sent" ? outcome.providerMessageId : "";
      const email = emails.find(({ messageId }) => messageId === id);
      expect(email).toMatchObject({
        destination: { to: ["ada@example.com"], cc: [], bcc: [] },
        replyTo: ["help@example.org"],
        subject: "Grüße 👋",
        body: { html: expect.stringContaining("<b>Welt</b>") as string },
      });
      expect(email?.attachments).toHaveLength(attachments);
    }
  });
});

const model = descriptionFile("amazon-sesv2-model.json");

describe.skipIf(model === null)("Amazon's own service model", () => {
  type Shape = {
    type?: string;
    shape?: string;
    required?: string[];
    members?: Record<string, Shape>;
    member?: Shape;
  };
  // This is carried out also where the tests below are left out.
  const absent = '{ "operations": { "SendEmail": { "http": {} } }, "shapes": {} }';
  const service = JSON.parse(model === null ? absent : readFileSync(model, "utf8")) as {
    operations: { SendEmail: { http: { requestUri: string }; input: Shape } };
    shapes: Record<string, Shape>;
  };

  /** Where a value does not fit a shape; members without type or shape are texts. */
  const misfits = (value: unknown, given: Shape, path: string): string[] => {
    const shape = given.shape === undefined ? given : (service.shapes[given.shape] ?? {});
    if (shape.type === "structure") {
      const entries = Object.entries(value as Record<string, unknown>);
      const missing = (shape.required ?? []).filter((name) => !entries.some(([key]) => key === name));
      return [
        ...missing.map((name) => `${path}.${name} is missing`),
        ...entries.flatMap(([key, item]) => {
          const member = shape.members?.[key];
          return member ? misfits(item, member, `${path}.${key}`) : [`${path}.${key} is unknown`];
        }),
      ];
    }
    if (shape.type === "list") {
      return (value as unknown[]).flatMap((item, index) =>
        misfits(item, shape.member ?? {}, `${path}.${index}`),
      );
    }
    return typeof value === "string" ? [] : [`${path} is not a text`];
  };
  const { input, http: route } = service.operations.SendEmail;

  it("finds what does not fit (the probe that shows it checks at all)", () => {
    expect(misfits({ FromEmailAddress: 1, Nonsense: "x" }, input, "")).toEqual([
      ".Content is missing",
      ".FromEmailAddress is not a text",
      ".Nonsense is unknown",
    ]);
  });

  it.each<[string, Partial<OutboundMessage>]>([
    ["simple content", {}],
    ["MIME", { headers: UNSUBSCRIBE_HEADERS, attachments: [PDF] }],
  ])("fits %s", async (_what, more) => {
    const server = await provider(json(200, { MessageId: MESSAGE_ID }));
    const settings = { configurationSet: "tidings" };
    await sesAdapter.send(connection(server.baseUrl, settings), emailMessage(more), { http });
    expect(server.requests[0]?.path).toBe(route.requestUri);
    expect(misfits(JSON.parse(server.requests[0]?.body ?? ""), input, "")).toEqual([]);
  });
});
