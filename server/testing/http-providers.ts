/** Every provider that is spoken to over HTTP: a connection to it at any address, and how it answers when all is well. */
import type { Adapter, AdapterName, Connection, OutboundMessage } from "../adapters/adapter.ts";
import { httpAdapter } from "../adapters/http/http.ts";
import { httpSettingsSchema } from "../adapters/http/schemas.ts";
import { infobipAdapter } from "../adapters/infobip/infobip.ts";
import { metaAdapter } from "../adapters/meta/meta.ts";
import { microsoft365Adapter } from "../adapters/microsoft365/microsoft365.ts";
import { resendAdapter } from "../adapters/resend/resend.ts";
import { sendgridAdapter } from "../adapters/sendgrid/sendgrid.ts";
import { sesAdapter } from "../adapters/ses/ses.ts";
import { twilioAdapter } from "../adapters/twilio/twilio.ts";
import { vonageAdapter } from "../adapters/vonage/vonage.ts";
import { FAKE_VONAGE } from "./fake-vonage.ts";
import type { FaultyAnswer, FaultyRequest } from "./faulty-server.ts";

export type HttpProvider = {
  adapter: Adapter;
  /** Distinguishes entries of the same adapter, e.g. "WhatsApp". */
  of?: string;
  /** A connection whose provider is at this address. */
  connection: (baseUrl: string) => Connection;
  /** Differences from a plain message by e-mail. */
  message?: Partial<OutboundMessage>;
  /** The provider's good answer. */
  answer: (request: FaultyRequest) => FaultyAnswer;
  /** Requests before the message, such as the one for a token. */
  isPreliminary?: (request: FaultyRequest) => boolean;
};

export const json = (status: number, value: unknown, headers: Record<string, string> = {}): FaultyAnswer => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(value),
});

const SMS: Partial<OutboundMessage> = { channel: "sms", to: "+4915112345678", senderId: "+4915199999999" };

/** One entry for each adapter that speaks HTTP. */
export const httpProviders: readonly HttpProvider[] = [
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
  },
];

export function httpProvider(name: AdapterName): HttpProvider {
  const found = httpProviders.find(({ adapter }) => adapter.name === name);
  if (!found) throw new Error(`${name} is no provider that is spoken to over HTTP`);
  return found;
}
