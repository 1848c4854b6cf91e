/** What the network and a broken provider can do to a message, held against every adapter that speaks HTTP. */
import { afterEach, describe, expect, it } from "vitest";
import { createOutboundClient } from "../../kernel/outbound-http.ts";
import type { OutboundClient } from "../../kernel/outbound-http.ts";
import { FAKE_VONAGE } from "../../testing/fake-vonage.ts";
import { RETRY_AFTER_SECONDS, startFaultyServer } from "../../testing/faulty-server.ts";
import type { Fault, FaultyAnswer, FaultyRequest, FaultyServer } from "../../testing/faulty-server.ts";
import { emailMessage } from "../../testing/outbound-email.ts";
import { TEST_AUTHORITY } from "../../testing/tls-fixture.ts";
import type { Adapter, Connection, OutboundMessage, SendOutcome } from "./adapter.ts";
import { infobipAdapter } from "./infobip/infobip.ts";
import { httpAdapter } from "./http/http.ts";
import { httpSettingsSchema } from "./http/schemas.ts";
import { metaAdapter } from "./meta/meta.ts";
import { microsoft365Adapter } from "./microsoft365/microsoft365.ts";
import { resendAdapter } from "./resend/resend.ts";
import { sendgridAdapter } from "./sendgrid/sendgrid.ts";
import { sesAdapter } from "./ses/ses.ts";
import { twilioAdapter } from "./twilio/twilio.ts";
import { vonageAdapter } from "./vonage/vonage.ts";

type FaultName = Fault | "untrusted";

type Line = {
  adapter: Adapter;
  /** Tells lines of the same adapter apart, e.g. "WhatsApp". */
  of?: string;
  /** A connection whose provider is at this address. */
  connection: (baseUrl: string) => Connection;
  /** What differs from a plain message by channel. */
  message?: Partial<OutboundMessage>;
  /** The provider's good answer. */
  answer: (request: FaultyRequest) => FaultyAnswer;
  /** Requests before the message, such as the one for a token; the faults spare them. */
  isPreliminary?: (request: FaultyRequest) => boolean;
  /** Where this provider legitimately differs. `requests`: how often the message may reach it; 1 without. */
  differs?: Partial<
    Record<FaultName, { outcome?: Partial<SendOutcome>; requests?: number; because: string }>
  >;
};

const json = (status: number, value: unknown): FaultyAnswer => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(value),
});

const SMS: Partial<OutboundMessage> = { channel: "sms", to: "+4915112345678", senderId: "+4915199999999" };

/** One line for each adapter that speaks HTTP. */
const LINES: Line[] = [
  {
    adapter: twilioAdapter as unknown as Adapter,
    connection: (baseUrl) => ({
      id: "c1",
      credentials: { accountSid: `AC${"1a".repeat(16)}`, authToken: "s3cret-token" },
      settings: { region: "us1", baseUrl },
    }),
    message: SMS,
    answer: () => json(201, { sid: `SM${"0a".repeat(16)}`, status: "queued", num_segments: "1" }),
  },
  {
    adapter: vonageAdapter as unknown as Adapter,
    connection: (baseUrl) => {
      const { applicationId, privateKey, signatureSecret } = FAKE_VONAGE;
      return {
        id: "c1",
        credentials: { applicationId, privateKey, signatureSecret },
        settings: { region: "eu", baseUrl },
      };
    },
    message: SMS,
    answer: () => json(202, { message_uuid: "aaaaaaaa-bbbb-4ccc-8ddd-0123456789ab" }),
  },
  {
    adapter: infobipAdapter as unknown as Adapter,
    connection: (baseUrl) => ({
      id: "c1",
      credentials: { apiKey: "api-s3cret", callbackSecret: "callback-s3cret-of-ours" },
      settings: { baseUrl },
    }),
    message: SMS,
    answer: () =>
      json(200, {
        messages: [{ messageId: "m1", status: { groupName: "PENDING", name: "PENDING_ACCEPTED" } }],
      }),
  },
  {
    adapter: httpAdapter as unknown as Adapter,
    connection: (baseUrl) => ({
      id: "c1",
      credentials: { secrets: "apiKey = s3cret-key" },
      settings: httpSettingsSchema.parse({
        url: `${baseUrl}/messages`,
        headers: "Authorization: Bearer {{ secrets.apiKey }}",
        body: '{ "to": "{{ to }}", "text": {{ text | json }} }',
        idPath: "$.id",
      }),
    }),
    message: SMS,
    answer: () => json(202, { id: "m-1" }),
  },
  {
    adapter: metaAdapter as unknown as Adapter,
    connection: (baseUrl) => ({
      id: "c1",
      credentials: { accessToken: "EAAs3cret", appSecret: "app-s3cret", verifyToken: "verify-s3cret" },
      settings: { phoneNumberId: "106540352242922", version: "v23.0", baseUrl },
    }),
    message: { channel: "whatsapp", to: "+4915112345678" },
    answer: () => json(200, { messaging_product: "whatsapp", messages: [{ id: "wamid.1" }] }),
  },
  {
    adapter: sendgridAdapter as unknown as Adapter,
    connection: (baseUrl) => ({
      id: "c1",
      credentials: { apiKey: "SG.s3cret" },
      settings: { region: "global", baseUrl },
    }),
    answer: () => ({ status: 202, headers: { "x-message-id": "14c5d75ce93" } }),
  },
  {
    adapter: resendAdapter as unknown as Adapter,
    connection: (baseUrl) => ({ id: "c1", credentials: { apiKey: "re_s3cret" }, settings: { baseUrl } }),
    answer: () => json(200, { id: "4ef9a417-02e9-4d39-ad75-9611e0fcc33c" }),
  },
  {
    adapter: sesAdapter as unknown as Adapter,
    connection: (baseUrl) => ({
      id: "c1",
      credentials: { accessKeyId: "AKIDEXAMPLEKEY123", secretAccessKey: "aws-s3cret" },
      settings: { region: "eu-central-1", baseUrl },
    }),
    answer: () => json(200, { MessageId: "0107-1" }),
  },
  {
    adapter: microsoft365Adapter as unknown as Adapter,
    connection: (baseUrl) => ({
      id: "c1",
      credentials: { clientSecret: "client-s3cret" },
      settings: {
        tenantId: "contoso.example",
        clientId: "11111111-2222-3333-4444-555555555555",
        saveToSentItems: false,
        baseUrl,
      },
    }),
    isPreliminary: ({ path }) => path.endsWith("/token"),
    answer: ({ path }) =>
      path.endsWith("/token") ? json(200, { access_token: "t0ken", expires_in: 3_599 }) : { status: 202 },
    differs: {
      unauthorized: { requests: 2, because: "The token may have been revoked: it is renewed once" },
    },
  },
];

/** What each fault means for the message, wherever a line does not say otherwise. */
const EXPECTED: Record<FaultName, Partial<SendOutcome>> = {
  refused: { kind: "not_sent", retry: "later", code: "provider_unavailable" },
  plain: { kind: "not_sent", retry: "later", code: "provider_unavailable" },
  untrusted: { kind: "not_sent", retry: "later", code: "provider_unavailable" },
  hang: { kind: "unknown", code: "provider_timeout" },
  reset: { kind: "unknown", code: "provider_connection_lost" },
  error500: { kind: "unknown", code: "provider_error", providerCode: "500" },
  garbage: { kind: "unknown", code: "provider_answer_unreadable" },
  empty: { kind: "unknown", code: "provider_answer_unreadable" },
  rate_limited: {
    kind: "not_sent",
    retry: "later",
    code: "provider_rate_limited",
    retryAfterMs: RETRY_AFTER_SECONDS * 1_000,
  },
  unauthorized: { kind: "not_sent", retry: "failover", code: "provider_credentials" },
};
const TITLES: [string, FaultName][] = [
  ["refuses the connection", "refused"],
  ["does not speak TLS", "plain"],
  ["has a certificate that nobody vouches for", "untrusted"],
  ["takes the message and falls silent", "hang"],
  ["takes the message and cuts the connection", "reset"],
  ["answers 500", "error500"],
  ["answers 200 with garbage", "garbage"],
  ["answers 200 with nothing", "empty"],
  ["answers 429 and when to come again", "rate_limited"],
  ["answers 401", "unauthorized"],
];
const WITHOUT_A_CONNECTION: FaultName[] = ["refused", "plain", "untrusted"];

const EMAIL = emailMessage();

const running: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const open of running.splice(0)) await open.close();
});

async function server(line: Line): Promise<FaultyServer> {
  const started = await startFaultyServer(line);
  running.push(started);
  return started;
}

function client(trusting: boolean): OutboundClient {
  const started = createOutboundClient({
    allow: ["127.0.0.0/8"],
    userAgent: "test/1.0",
    resolver: () => Promise.resolve(["127.0.0.1"]),
    ...(trusting ? { ca: TEST_AUTHORITY } : {}),
  });
  running.unshift(started);
  return started;
}

describe.each(LINES.map((line) => ({ name: [line.adapter.label, line.of].filter(Boolean).join(" "), line })))(
  "$name",
  ({ line }) => {
    const { adapter } = line;
    const message = { ...EMAIL, ...line.message };

    it.each(TITLES)("knows what is to be done when the provider %s", async (_title, name) => {
      const provider = await server(line);
      const connection = line.connection(provider.baseUrl);
      const http = client(true);
      const good = await adapter.send(connection, message, { http });
      expect(good).toMatchObject({ kind: "sent" });
      const before = provider.requests.length;

      await provider.setFault(name === "untrusted" ? null : name);
      // A connection that is open already would hide what happens while one is made, and only that.
      const faulty = WITHOUT_A_CONNECTION.includes(name) ? client(name !== "untrusted") : http;
      const outcome = await adapter.send(connection, message, {
        http: faulty,
        ...(name === "hang" ? { timeoutMs: 700 } : {}),
      });
      const differs = line.differs?.[name];
      expect(outcome).toMatchObject(differs?.outcome ?? EXPECTED[name]);
      const reached = WITHOUT_A_CONNECTION.includes(name) ? 0 : 1;
      expect(provider.requests.length - before).toBe(differs?.requests ?? reached);

      if (outcome.kind !== "sent") expect(outcome.detail).toMatch(/^\S.{15,}$/);
      const said = JSON.stringify(outcome);
      for (const secret of [message.to, ...Object.values(connection.credentials as Record<string, string>)]) {
        expect(said).not.toContain(secret);
      }

      await provider.setFault(null);
      const again = await adapter.send(connection, message, { http: name === "untrusted" ? http : faulty });
      expect(again).toMatchObject({ kind: "sent" });
    });
  },
);
