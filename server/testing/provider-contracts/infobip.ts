/** Source: https://www.infobip.com/docs/api/channels */
import { z } from "zod";
import { digits, json } from "./contract.ts";
import type { Contract, Operation } from "./contract.ts";

const app = /^App \S+$/;
const seconds = z.int().min(1).max(172_800);
const whatsapp = {
  from: digits,
  to: digits,
  messageId: z.string().max(100).optional(),
  notifyUrl: z.url().max(2_048).optional(),
};
const link = z.url().max(2_048);
const mediaHeader = z.strictObject({
  type: z.enum(["IMAGE", "VIDEO", "DOCUMENT"]),
  mediaUrl: link,
  filename: z.string().max(240).optional(),
});
const interactive = {
  header: z
    .union([z.strictObject({ type: z.literal("TEXT"), text: z.string().max(60) }), mediaHeader])
    .optional(),
  body: z.strictObject({ text: z.string().min(1).max(1_024) }),
  footer: z.strictObject({ text: z.string().max(60) }).optional(),
};
const media = { mediaUrl: link, caption: z.string().max(3_000).optional() };

/** The descriptions at hand have texts and templates only; the other kinds stand in the same documentation. */
const conversation = (kind: string, content: z.ZodType, official?: Operation["official"]): Operation => ({
  method: "POST",
  path: `/whatsapp/1/message/${kind}`,
  headers: { authorization: app, "content-type": json },
  body: z.strictObject({ ...whatsapp, content }),
  ...(official ? { official } : {}),
});

const report = z.looseObject({
  messageId: z.string(),
  to: z.string(),
  doneAt: z.string().optional(),
  messageCount: z.int().optional(),
  status: z.looseObject({
    groupId: z.int(),
    groupName: z
      .enum(["ACCEPTED", "PENDING", "UNDELIVERABLE", "DELIVERED", "EXPIRED", "REJECTED"])
      .optional(),
    name: z.string(),
    description: z.string().optional(),
  }),
  error: z.looseObject({ name: z.string(), permanent: z.boolean() }).optional(),
  price: z.looseObject({ pricePerMessage: z.number(), currency: z.string() }).optional(),
});
const reports = z.looseObject({ results: z.array(report) });

export const infobipContract: Contract = {
  operations: [
    {
      method: "POST",
      path: "/sms/3/messages",
      headers: { authorization: app, "content-type": json },
      body: z.strictObject({
        messages: z
          .array(
            z.strictObject({
              sender: z.string().optional(),
              destinations: z
                .array(z.strictObject({ to: digits, messageId: z.string().max(200).optional() }))
                .min(1),
              content: z.strictObject({ text: z.string().min(1) }),
              options: z
                .strictObject({
                  validityPeriod: z.strictObject({ amount: seconds, timeUnit: z.literal("SECONDS") }),
                })
                .optional(),
              webhooks: z
                .strictObject({
                  delivery: z.strictObject({ url: z.url() }),
                  contentType: z.literal("application/json"),
                })
                .optional(),
            }),
          )
          .min(1),
        options: z.strictObject({ includeSmsCountInResponse: z.boolean() }).optional(),
      }),
      official: { file: "infobip-sms.yaml" },
    },
    {
      method: "POST",
      path: "/whatsapp/1/message/template",
      headers: { authorization: app, "content-type": json },
      body: z.strictObject({
        messages: z
          .array(
            z.strictObject({
              ...whatsapp,
              content: z.strictObject({
                templateName: z.string().regex(/^[a-z0-9_]{1,512}$/),
                language: z.string(),
                templateData: z.strictObject({
                  body: z.strictObject({ placeholders: z.array(z.string().min(1)) }),
                  header: z
                    .union([
                      z.strictObject({ type: z.literal("TEXT"), placeholder: z.string() }),
                      mediaHeader,
                    ])
                    .optional(),
                  buttons: z
                    .array(z.strictObject({ type: z.enum(["QUICK_REPLY", "URL"]), parameter: z.string() }))
                    .optional(),
                }),
              }),
            }),
          )
          .min(1),
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
    conversation("text", z.strictObject({ text: z.string().min(1).max(4_096) }), {
      file: "infobip-whatsapp.yaml",
    }),
    conversation("image", z.strictObject(media)),
    conversation("video", z.strictObject(media)),
    conversation("document", z.strictObject({ ...media, filename: z.string().max(240).optional() })),
    conversation(
      "interactive/buttons",
      z.strictObject({
        ...interactive,
        action: z.strictObject({
          buttons: z
            .array(
              z.strictObject({
                type: z.literal("REPLY"),
                id: z.string().max(256),
                title: z.string().min(1).max(20),
              }),
            )
            .min(1)
            .max(3),
        }),
      }),
    ),
    conversation(
      "interactive/url-button",
      z.strictObject({
        ...interactive,
        action: z.strictObject({ displayText: z.string().min(1).max(20), url: link }),
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
      body: z.looseObject({
        results: z.array(
          z.looseObject({ messageId: z.string(), from: z.string(), to: z.string(), seenAt: z.string() }),
        ),
      }),
      official: { file: "infobip-whatsapp.yaml", path: "/_callback/receive-whatsapp-seen-reports" },
    },
    "sms message": {
      body: z.looseObject({
        results: z.array(
          z.looseObject({
            messageId: z.string(),
            from: z.string(),
            to: z.string(),
            text: z.string(),
            keyword: z.string(),
            receivedAt: z.string().optional(),
          }),
        ),
      }),
      official: { file: "infobip-sms.yaml", path: "/_callback/receive-inbound-sms-messages" },
    },
    "whatsapp preference": {
      body: z.looseObject({
        from: z.string(),
        content: z.looseObject({
          sender: z.string(),
          from: z.string(),
          notificationMessagesStatus: z.string(),
          description: z.string(),
        }),
        createdAt: z.string().optional(),
      }),
      official: {
        file: "infobip-whatsapp.yaml",
        path: "/_callback/receive-whatsapp-marketing-update-notification",
      },
    },
  },
};
