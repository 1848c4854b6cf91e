/** What a provider's row in the table of outgoing messages holds, and what all rows of a channel share. */
import type { FailureCode, OutboundMessage, SendOutcome } from "../../adapters/adapter.ts";
import type { FaultyAnswer } from "../faulty-server.ts";
import type { HttpProvider } from "../http-providers.ts";
import { PDF, UNSUBSCRIBE_HEADERS } from "../outbound-email.ts";

type Retry = Extract<SendOutcome, { kind: "not_sent" }>["retry"];

/** What differs from the provider's usual connection and message. */
export type Variation = {
  message?: Partial<OutboundMessage>;
  settings?: Record<string, unknown>;
  credentials?: Record<string, unknown>;
};

export type SentCase = Variation & {
  path?: string;
  headers?: Record<string, unknown>;
  /** The whole body, a form as an object of its fields. */
  body?: unknown;
  /** A part of the body. */
  holds?: object;
  answer?: FaultyAnswer;
  outcome?: object;
  /** The provider's own description is too old to have it. */
  isNewer?: true;
};
export type RefusedCase = Variation & { retry: Retry; code: FailureCode };
export type TestCase = Variation & { answer: FaultyAnswer; result: object };

/** `providerCode`: the provider's own code, or the status. */
export type ErrorRow = [answer: FaultyAnswer, providerCode: string, retry: Retry, code: FailureCode];

export type OutgoingCases = {
  provider: HttpProvider;
  /** How each kind of content leaves. */
  sends: Record<string, SentCase>;
  /** What the adapter refuses by itself. */
  refuses: Record<string, RefusedCase>;
  /** The provider's refusals: certainly not sent. */
  errors: ErrorRow[];
  /** How long the provider asks to wait, ms. */
  waits?: [answer: FaultyAnswer, retryAfterMs: number][];
  /** Answers after which nobody knows whether the provider has the message. */
  uncertain?: [answer: FaultyAnswer, providerCode: string][];
  /** Tests of the connection. */
  tests: Record<string, TestCase>;
  /** Where settings have data processed, and the address that they call. */
  regions: [settings: Record<string, unknown>, region: string | null, origin?: string][];
};

export const MESSAGE_REFUSALS: Record<string, RefusedCase> = {
  "a message without text": { message: { text: "" }, retry: "never", code: "invalid_message" },
  "a message without sender": {
    message: { senderId: undefined },
    retry: "failover",
    code: "sender_rejected",
  },
};

const replies = (...texts: string[]) => texts.map((text) => ({ type: "quick_reply" as const, text }));
const template = (name: string, language?: string) => ({
  template: name,
  variables: {},
  ...(language === undefined ? {} : { language }),
});
const whatsappRefusal = (message: Partial<OutboundMessage>): RefusedCase => ({
  message: { channel: "whatsapp", ...message },
  retry: "never",
  code: "invalid_message",
});

/** Of providers that know WhatsApp's own templates and messages in a conversation. */
export const WHATSAPP_REFUSALS: Record<string, RefusedCase> = {
  "a WhatsApp message without text": whatsappRefusal({ text: "" }),
  "four quick replies": whatsappRefusal({ buttons: replies("a", "b", "c", "d") }),
  "a long button": whatsappRefusal({ buttons: replies("x".repeat(21)) }),
  "a long text above buttons": whatsappRefusal({ text: "x".repeat(1_025), buttons: replies("a") }),
  "a text of more than 4,096 characters": whatsappRefusal({ text: "x".repeat(4_097) }),
  "a template without language": {
    ...whatsappRefusal({ whatsapp: template("a") }),
    code: "template_rejected",
  },
  "another provider's template": {
    ...whatsappRefusal({ whatsapp: template("HX12", "en") }),
    retry: "failover",
    code: "template_rejected",
  },
};

export const PICTURE = "https://a.example/b.png";
const menu = "https://a.example/f/menu.pdf?x=1";
const shipped = { template: "order_shipped", language: "en_GB", variables: { "2": "b", "1": "Ada" } };

/** WhatsApp messages of every kind. */
export const WHATSAPP = {
  text: {},
  framedText: { header: { type: "text", value: "Table" }, footer: "Bistro" },
  picture: { header: { type: "image", value: PICTURE } },
  document: { header: { type: "document", value: menu } },
  replies: {
    header: { type: "document", value: menu },
    footer: "Bistro",
    buttons: [
      { type: "quick_reply", text: "Yes", value: "y1" },
      { type: "phone", text: "Call", value: "+4930123456" },
      { type: "url", text: "Menu", value: "https://a.example" },
    ],
  },
  link: {
    header: { type: "text", value: "Table" },
    buttons: [{ type: "url", text: "Menu", value: "https://a.example" }],
  },
  template: { whatsapp: shipped, header: { type: "text", value: "Order" }, footer: "Bistro" },
  templateWithPicture: {
    whatsapp: shipped,
    header: { type: "image", value: PICTURE },
    buttons: [...replies("Maybe"), { type: "quick_reply", text: "Yes", value: "y1" }],
  },
} satisfies Record<string, Partial<OutboundMessage>>;

/** The row of a provider for every kind of WhatsApp message. */
export function whatsappSends(
  expected: Record<keyof typeof WHATSAPP, Pick<SentCase, "path" | "holds" | "isNewer">>,
): Record<string, SentCase> {
  return Object.fromEntries(
    Object.entries(WHATSAPP).map(([kind, message]): [string, SentCase] => [
      `WhatsApp ${kind}`,
      { message: { channel: "whatsapp", ...message }, ...expected[kind as keyof typeof WHATSAPP] },
    ]),
  );
}

/** How WhatsApp itself takes messages with buttons, and templates with more than a body. */
export const CLOUD_API = {
  replies: {
    type: "interactive",
    interactive: {
      type: "button",
      header: { type: "document", document: { link: menu, filename: "menu.pdf" } },
      body: { text: "Ihr Code: 1234\nCall: +4930123456\nMenu: https://a.example" },
      footer: { text: "Bistro" },
      action: { buttons: [{ type: "reply", reply: { id: "y1", title: "Yes" } }] },
    },
  },
  link: {
    type: "interactive",
    interactive: {
      type: "cta_url",
      header: { type: "text", text: "Table" },
      body: { text: "Ihr Code: 1234" },
      action: { name: "cta_url", parameters: { display_text: "Menu", url: "https://a.example" } },
    },
  },
  templateWithPicture: {
    type: "template",
    template: {
      name: "order_shipped",
      language: { policy: "deterministic", code: "en_GB" },
      components: [
        { type: "header", parameters: [{ type: "image", image: { link: PICTURE } }] },
        {
          type: "body",
          parameters: [
            { type: "text", text: "Ada" },
            { type: "text", text: "b" },
          ],
        },
        {
          type: "button",
          sub_type: "quick_reply",
          index: "1",
          parameters: [{ type: "payload", payload: "y1" }],
        },
      ],
    },
  },
};

const emailRefusal = (
  message: Partial<OutboundMessage>,
  code: FailureCode,
  retry: Retry = "never",
): RefusedCase => ({ message, code, retry });

/** @param tooMuch bytes of an attachment with which an e-mail is larger than the provider takes */
export const emailRefusals = (tooMuch: number): Record<string, RefusedCase> => ({
  "a recipient that hides a header": emailRefusal(
    { to: "ada@example.com\r\nBcc: eve@evil.example" },
    "invalid_recipient",
  ),
  "two recipients": emailRefusal({ to: "ada@example.com, eve@evil.example" }, "invalid_recipient"),
  "two senders": emailRefusal(
    { senderId: "Shop <a@b.example>, Eve <eve@evil.example>" },
    "sender_rejected",
    "failover",
  ),
  "a header that adds a recipient": emailRefusal({ headers: { bcc: "eve@evil.example" } }, "invalid_message"),
  "more than the provider takes": emailRefusal(
    { attachments: [{ ...PDF, content: Buffer.alloc(tooMuch) }] },
    "message_too_large",
    "failover",
  ),
});

/** E-mails beside the one with every part; that they fit the provider's contract is all that is asked. */
export const EMAIL_SENDS: Record<string, SentCase> = {
  "text and HTML": {},
  "text alone": { message: { html: undefined, replyTo: undefined, senderId: "shop@example.org" } },
  "HTML alone": { message: { text: undefined } },
  "headers and attachments": { message: { headers: UNSUBSCRIBE_HEADERS, attachments: [PDF, PDF] } },
};

/** Of the message with every part. */
export const EVERY_PART: Partial<OutboundMessage> = { headers: UNSUBSCRIBE_HEADERS, attachments: [PDF] };
