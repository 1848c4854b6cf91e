/** Source: https://www.infobip.com/docs/api/channels */
import { z } from "zod";
import { digits, json, list, object, oneOf, only, open, some, text } from "./contract.ts";
import type { Contract, Operation } from "./contract.ts";

const app = /^App \S+$/;
const seconds = z.int().min(1).max(172_800);
const whatsapp = {
  from: digits,
  to: digits,
  messageId: text.max(100).optional(),
  notifyUrl: z.url().max(2_048).optional(),
};
const link = z.url().max(2_048);
const mediaHeader = object({
  type: oneOf(["IMAGE", "VIDEO", "DOCUMENT"]),
  mediaUrl: link,
  filename: text.max(240).optional(),
});
const interactive = {
  header: z.union([object({ type: only("TEXT"), text: text.max(60) }), mediaHeader]).optional(),
  body: object({ text: some.max(1_024) }),
  footer: object({ text: text.max(60) }).optional(),
};
const media = { mediaUrl: link, caption: text.max(3_000).optional() };

/** The descriptions at hand have texts and templates only; the other kinds stand in the same documentation. */
const conversation = (kind: string, content: z.ZodType, official?: Operation["official"]): Operation => ({
  method: "POST",
  path: `/whatsapp/1/message/${kind}`,
  headers: { authorization: app, "content-type": json },
  body: object({ ...whatsapp, content }),
  ...(official ? { official } : {}),
});

const report = open({
  messageId: text,
  to: text,
  doneAt: text.optional(),
  messageCount: z.int().optional(),
  status: open({
    groupId: z.int(),
    groupName: oneOf(["ACCEPTED", "PENDING", "UNDELIVERABLE", "DELIVERED", "EXPIRED", "REJECTED"]).optional(),
    name: text,
    description: text.optional(),
  }),
  error: open({ name: text, permanent: z.boolean() }).optional(),
  price: open({ pricePerMessage: z.number(), currency: text }).optional(),
});
const reports = open({ results: list(report) });

export const infobipContract: Contract = {
  operations: [
    {
      method: "POST",
      path: "/sms/3/messages",
      headers: { authorization: app, "content-type": json },
      body: object({
        messages: list(
          object({
            sender: text.optional(),
            destinations: list(object({ to: digits, messageId: text.max(200).optional() })).min(1),
            content: object({ text: some }),
            options: object({
              validityPeriod: object({ amount: seconds, timeUnit: only("SECONDS") }),
            }).optional(),
            webhooks: object({
              delivery: object({ url: z.url() }),
              contentType: only("application/json"),
            }).optional(),
          }),
        ).min(1),
        options: object({ includeSmsCountInResponse: z.boolean() }).optional(),
      }),
      official: { file: "infobip-sms.yaml" },
    },
    {
      method: "POST",
      path: "/whatsapp/1/message/template",
      headers: { authorization: app, "content-type": json },
      body: object({
        messages: list(
          object({
            ...whatsapp,
            content: object({
              templateName: text.regex(/^[a-z0-9_]{1,512}$/),
              language: text,
              templateData: object({
                body: object({ placeholders: list(some) }),
                header: z.union([object({ type: only("TEXT"), placeholder: text }), mediaHeader]).optional(),
                buttons: list(object({ type: oneOf(["QUICK_REPLY", "URL"]), parameter: text })).optional(),
              }),
            }),
          }),
        ).min(1),
      }),
      official: {
        file: "infobip-whatsapp.yaml",
        // Kinds of headers and buttons are told apart by their type, and described apart from it.
        beyond: [
          ...["header.placeholder", "header.mediaUrl", "header.filename", "buttons[].parameter"].map(
            (member) => `messages[].content.templateData.${member}`,
          ),
        ],
      },
    },
    conversation("text", object({ text: some.max(4_096) }), {
      file: "infobip-whatsapp.yaml",
    }),
    conversation("image", object(media)),
    conversation("video", object(media)),
    conversation("document", object({ ...media, filename: text.max(240).optional() })),
    conversation(
      "interactive/buttons",
      object({
        ...interactive,
        action: object({
          buttons: list(
            object({
              type: only("REPLY"),
              id: text.max(256),
              title: some.max(20),
            }),
          )
            .min(1)
            .max(3),
        }),
      }),
    ),
    conversation(
      "interactive/url-button",
      object({
        ...interactive,
        action: object({ displayText: some.max(20), url: link }),
      }),
    ),
    { method: "GET", path: "/account/1/balance", headers: { authorization: app } },
    { method: "GET", path: "/whatsapp/2/senders/{sender}/templates", headers: { authorization: app } },
  ],
  callbacks: {
    "sms report": {
      body: reports,
      official: { file: "infobip-sms.yaml", path: "/_callback/receive-outbound-sms-message-reports-v3" },
    },
    "whatsapp report": {
      body: reports,
      official: { file: "infobip-whatsapp.yaml", path: "/_callback/receive-whatsapp-delivery-reports" },
    },
    "whatsapp seen": {
      body: open({
        results: list(open({ messageId: text, from: text, to: text, seenAt: text })),
      }),
      official: { file: "infobip-whatsapp.yaml", path: "/_callback/receive-whatsapp-seen-reports" },
    },
    "sms message": {
      body: open({
        results: list(
          open({
            messageId: text,
            from: text,
            to: text,
            text: text,
            keyword: text,
            receivedAt: text.optional(),
          }),
        ),
      }),
      official: { file: "infobip-sms.yaml", path: "/_callback/receive-inbound-sms-messages" },
    },
    "whatsapp preference": {
      body: open({
        from: text,
        content: open({
          sender: text,
          from: text,
          notificationMessagesStatus: text,
          description: text,
        }),
        createdAt: text.optional(),
      }),
      official: {
        file: "infobip-whatsapp.yaml",
        path: "/_callback/receive-whatsapp-marketing-update-notification",
      },
    },
  },
};
