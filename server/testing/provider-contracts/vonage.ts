/** Source: https://developer.vonage.com/en/api/messages (version 1) */
import { z } from "zod";
import { basic, bearer, digits, json, list, object, oneOf, only, open, some, text } from "./contract.ts";
import type { Contract } from "./contract.ts";

const file = "vonage-messages-v1.yaml";
const media = { url: z.url(), caption: text.optional() };
const common = {
  to: digits,
  from: some,
  client_ref: text.max(40).optional(),
  webhook_url: z.url().optional(),
  webhook_version: only("v1").optional(),
};
const sms = object({
  ...common,
  channel: only("sms"),
  message_type: only("text"),
  text: some,
  ttl: z.int().min(20).max(604_800).optional(),
  sms: object({ encoding_type: oneOf(["text", "unicode", "auto"]) }).optional(),
});
const whatsapp = { ...common, channel: only("whatsapp") };
const usage = open({ currency: only("EUR"), price: text });
const both = {
  message_uuid: text,
  to: text,
  from: text,
  timestamp: text,
  client_ref: text.optional(),
  channel: oneOf(["sms", "whatsapp"]),
};

export const vonageContract: Contract = {
  operations: [
    {
      method: "POST",
      path: "/v1/messages",
      headers: { authorization: bearer, "content-type": json },
      body: z.union([
        sms,
        object({ ...whatsapp, message_type: only("text"), text: some.max(4_096) }),
        object({
          ...whatsapp,
          message_type: only("template"),
          template: object({ name: text, parameters: list(text) }),
          whatsapp: object({
            policy: only("deterministic"),
            locale: text.regex(/^[a-z]{2,3}(-[A-Z]{2})?$/),
          }),
        }),
        object({ ...whatsapp, message_type: only("image"), image: object(media) }),
        object({ ...whatsapp, message_type: only("video"), video: object(media) }),
        object({
          ...whatsapp,
          message_type: only("file"),
          file: object({ ...media, name: text.optional() }),
        }),
        object({
          ...whatsapp,
          message_type: only("custom"),
          custom: open({ type: text }),
        }),
      ]),
      official: {
        file,
        path: "/",
        beyond: ["webhook_url", "webhook_version", "ttl", "sms", "file.name"],
      },
    },
    { method: "GET", path: "/account/get-balance", headers: { authorization: basic } },
  ],
  callbacks: {
    "message-status": {
      body: open({
        ...both,
        status: oneOf(["submitted", "delivered", "read", "undeliverable", "rejected"]),
        usage: usage.optional(),
        error: open({ title: z.unknown(), type: text.optional(), detail: text }).optional(),
      }),
      official: { file, path: "/_callback/message-status" },
    },
    "inbound-message": {
      body: open({
        ...both,
        message_type: oneOf([
          "text",
          "image",
          "audio",
          "video",
          "file",
          "reply",
          "button",
          "reaction",
          "unsupported",
        ]).optional(),
        text: text.optional(),
        reply: open({ id: text, title: text }).optional(),
        context: open({ message_uuid: text, message_from: text }).optional(),
      }),
      official: {
        file,
        path: "/_callback/inbound-message",
        beyond: ["message_type=button", "message_type=reaction"],
      },
    },
  },
};
