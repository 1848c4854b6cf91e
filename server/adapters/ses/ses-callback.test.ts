import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OutboundError } from "../../kernel/outbound-http.ts";
import type { OutboundClient } from "../../kernel/outbound-http.ts";
import { EMAIL_NOTIFICATION_ID } from "../../testing/outbound-email.ts";
import { SNS_CERTIFICATE, SNS_CERTIFICATE_URL, SNS_TOPIC, snsBody } from "../../testing/sns-fixture.ts";
import type { CallbackResult } from "../adapter.ts";
import type { SesSettings } from "./schemas.ts";
import { createSesAdapter } from "./ses.ts";

type World = {
  /** Every address that was asked for. */
  asked: string[];
  receive: (body: unknown, settings?: Partial<SesSettings>, method?: string) => Promise<CallbackResult>;
};

/** A fresh adapter in front of an Amazon that answers with `answer`. */
function world(
  answer: (url: string) => { status: number; body: string } | Error = () => ({
    status: 200,
    body: SNS_CERTIFICATE,
  }),
): World {
  const asked: string[] = [];
  const http = {
    request: ({ url }: { url: string }) => {
      asked.push(url);
      const result = answer(url);
      if (result instanceof Error) return Promise.reject(result);
      const { status, body } = result;
      return Promise.resolve({ status, headers: {}, body: Buffer.from(body), truncated: false });
    },
  } as unknown as OutboundClient;
  const adapter = createSesAdapter();
  return {
    asked,
    receive: async (body, settings = { topicArn: SNS_TOPIC }, method = "POST") => {
      const connection = {
        id: "c1",
        credentials: { accessKeyId: "AKIDEXAMPLEKEY123", secretAccessKey: "s3cret" },
        settings: { region: "eu-central-1", ...settings },
      };
      const rawBody = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
      const request = { method, url: "https://tidings.example/api/callbacks/c1", headers: {}, rawBody };
      const result = await adapter.parseCallback?.(connection, request, { http });
      if (!result) throw new Error("there are no callbacks");
      return result;
    },
  };
}

const unreachable = new OutboundError("connect", "refused", "Amazon refuses the connection", false);
const event = (eventType: string, more: Record<string, unknown> = {}): string =>
  JSON.stringify({
    eventType,
    mail: {
      timestamp: "2026-11-22T00:00:00.000Z",
      messageId: "0107-1",
      destination: ["ada@example.com"],
      tags: { tidings_notification: [EMAIL_NOTIFICATION_ID], tidings_attempt: ["2"] },
    },
    ...more,
  });
const delivery = event("Delivery", { delivery: { timestamp: "2026-11-22T00:00:05.000Z" } });

describe("a notification of the topic", () => {
  it.each(["1", "2"] as const)("is believed with Amazon's signature, version %s", async (version) => {
    const { receive, asked } = world();
    expect(await receive(snsBody({ Message: delivery, Subject: "Amazon SES" }, version))).toEqual({
      authentic: true,
      inbound: [],
      receipts: [
        {
          providerMessageId: "0107-1",
          notificationId: EMAIL_NOTIFICATION_ID,
          attempt: 2,
          status: "delivered",
          at: new Date("2026-11-22T00:00:05.000Z"),
        },
      ],
    });
    expect(asked).toEqual([SNS_CERTIFICATE_URL]);
  });

  it("needs the certificate once", async () => {
    const { receive, asked } = world();
    for (let i = 0; i < 3; i += 1) expect((await receive(snsBody())).authentic).toBe(true);
    expect(asked).toHaveLength(1);
  });

  it.each<[string, () => unknown]>([
    ["another message", () => ({ ...snsBody({ Message: delivery }), Message: event("Complaint") })],
    ["a subject that was not signed", () => ({ ...snsBody(), Subject: "x" })],
    ["another signature", () => ({ ...snsBody(), Signature: snsBody({ Message: "x" }).Signature })],
    ["no signature", () => ({ ...snsBody(), Signature: undefined })],
    ["a signature by another digest", () => ({ ...snsBody({}, "1"), SignatureVersion: "2" })],
    ["an unknown version", () => snsBody({ SignatureVersion: "3" })],
    ["an unknown type", () => snsBody({ Type: "Greeting" })],
    ["another type than was signed", () => ({ ...snsBody(), Type: "SubscriptionConfirmation" })],
    ["another topic", () => snsBody({ TopicArn: `${SNS_TOPIC}-2` })],
    ["an old time", () => snsBody({ Timestamp: new Date(Date.now() - 3 * 3_600_000).toISOString() })],
    ["a time ahead", () => snsBody({ Timestamp: new Date(Date.now() + 600_000).toISOString() })],
    ["no time", () => snsBody({ Timestamp: "" })],
    ["no JSON", () => Buffer.from("hello")],
    ["more than a topic can send", () => snsBody({ Message: "x".repeat(1_100_000) })],
    ["a version that every object has", () => snsBody({ SignatureVersion: "constructor" })],
  ])("is forged with %s", async (_what, body) => {
    expect(await world().receive(body())).toEqual({ authentic: false });
  });

  it.each([
    "https://evil.example/SimpleNotificationService-0123456789abcdef.pem",
    "https://sns.eu-central-1.amazonaws.com.evil.example/SimpleNotificationService-0123456789abcdef.pem",
    "https://sns.us-east-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem",
    "http://sns.eu-central-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem",
    "https://sns.eu-central-1.amazonaws.com:8443/SimpleNotificationService-0123456789abcdef.pem",
    "https://x@sns.eu-central-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem",
    "https://sns.eu-central-1.amazonaws.com/evil.pem",
    "https://sns.eu-central-1.amazonaws.com/x/../SimpleNotificationService-0123456789abcdef.pem",
    "https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem?x=1",
    "not an address",
  ])("never makes us fetch %s", async (SigningCertURL) => {
    const { receive, asked } = world();
    expect(await receive(snsBody({ SigningCertURL }))).toEqual({ authentic: false });
    expect(asked).toEqual([]);
  });

  it("is told again when the certificate cannot be had, and records nothing", async () => {
    for (const answer of [unreachable, { status: 500, body: "" }]) {
      expect(await world(() => answer).receive(snsBody({ Message: delivery }))).toMatchObject({
        receipts: [],
        response: { status: 503 },
      });
    }
    expect(await world(() => ({ status: 200, body: "<html>" })).receive(snsBody())).toEqual({
      authentic: false,
    });
  });

  it("is nobody's where no topic is set up, and comes by POST", async () => {
    const { receive, asked } = world();
    expect(await receive(snsBody(), {})).toEqual({ authentic: false });
    expect(await receive(snsBody(), { topicArn: SNS_TOPIC }, "GET")).toEqual({ authentic: false });
    expect(asked).toEqual([]);
  });
});

describe("a subscription", () => {
  const confirm = `https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${SNS_TOPIC}&Token=t0ken`;
  const request = (SubscribeURL: string) =>
    snsBody({ Type: "SubscriptionConfirmation", Token: "t0ken", SubscribeURL });

  it("is confirmed at Amazon", async () => {
    const { receive, asked } = world();
    expect(await receive(request(confirm))).toEqual({ authentic: true, receipts: [], inbound: [] });
    expect(asked).toEqual([SNS_CERTIFICATE_URL, confirm]);
  });

  it.each([
    confirm.replace("sns.eu-central-1", "sns.us-east-1"),
    confirm.replace("amazonaws.com", "amazonaws.com.evil.example"),
    confirm.replace("https:", "http:"),
    confirm.replace("ConfirmSubscription", "DeleteTopic"),
    confirm.replace(SNS_TOPIC, "arn:aws:sns:eu-central-1:123456789012:other"),
    "http://169.254.169.254/latest/meta-data/",
    "nonsense",
  ])("is never confirmed by fetching %s, signed or not", async (url) => {
    const { receive, asked } = world();
    expect(await receive(request(url))).toMatchObject({ response: { status: 503 } });
    expect(asked).toEqual([SNS_CERTIFICATE_URL]);
  });

  it("is asked for again when Amazon did not take the confirmation, and never when it is forged", async () => {
    const answers = (url: string) =>
      url === SNS_CERTIFICATE_URL ? { status: 200, body: SNS_CERTIFICATE } : { status: 500, body: "" };
    expect(await world(answers).receive(request(confirm))).toMatchObject({ response: { status: 503 } });
    const { receive, asked } = world();
    expect(await receive({ ...request(confirm), Token: "other" })).toEqual({ authentic: false });
    expect(asked).toEqual([SNS_CERTIFICATE_URL]);
  });

  it("may end without a word from us", async () => {
    const { receive, asked } = world();
    const body = snsBody({ Type: "UnsubscribeConfirmation", Token: "t", SubscribeURL: confirm });
    expect(await receive(body)).toEqual({ authentic: true, receipts: [], inbound: [] });
    expect(asked).toEqual([SNS_CERTIFICATE_URL]);
  });
});

describe("hostile callbacks", () => {
  const { receive } = world();

  it("never throw: whatever the body is", async () => {
    const body = fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      fc.jsonValue(),
      fc.record({
        Type: fc.constantFrom("Notification", "SubscriptionConfirmation"),
        TopicArn: fc.constant(SNS_TOPIC),
        Timestamp: fc.constant(new Date().toISOString()),
        SignatureVersion: fc.constantFrom("1", "2"),
        SigningCertURL: fc.constant(SNS_CERTIFICATE_URL),
        Signature: fc.oneof(fc.string(), fc.jsonValue()),
        Message: fc.jsonValue(),
      }),
    );
    await fc.assert(
      fc.asyncProperty(body, async (value) => {
        expect(await receive(value)).toEqual({ authentic: false });
      }),
    );
  });
});
