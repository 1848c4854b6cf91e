/** Source: https://developer.vonage.com/en/api/messages (version 1) */
import { z } from "zod";
import { basic, bearer, digits, json } from "./contract.ts";
import type { Contract } from "./contract.ts";

const file = "vonage-messages-v1.yaml";
const media = { url: z.url(), caption: z.string().optional() };
const common = {
  to: digits,
  from: z.string().min(1),
  client_ref: z.string().max(40).optional(),
  webhook_url: z.url().optional(),
  webhook_version: z.literal("v1").optional(),
};
const sms = z.strictObject({
  ...common,
  channel: z.literal("sms"),
  message_type: z.literal("text"),
  text: z.string().min(1),
  ttl: z.int().min(20).max(604_800).optional(),
  sms: z.strictObject({ encoding_type: z.enum(["text", "unicode", "auto"]) }).optional(),
});
const whatsapp = { ...common, channel: z.literal("whatsapp") };
const usage = z.looseObject({ currency: z.literal("EUR"), price: z.string() });
const both = {
  message_uuid: z.string(),
  to: z.string(),
  from: z.string(),
  timestamp: z.string(),
  client_ref: z.string().optional(),
  channel: z.enum(["sms", "whatsapp"]),
};

export const vonageContract: Contract = {
  operations: [
    {
      method: "POST",
      path: "/v1/messages",
      headers: { authorization: bearer, "content-type": json },
      body: z.union([
        sms,
        z.strictObject({ ...whatsapp, message_type: z.literal("text"), text: z.string().min(1).max(4_096) }),
        z.strictObject({
          ...whatsapp,
          message_type: z.literal("template"),
          template: z.strictObject({ name: z.string(), parameters: z.array(z.string()) }),
          whatsapp: z.strictObject({
            policy: z.literal("deterministic"),
            locale: z.string().regex(/^[a-z]{2,3}(-[A-Z]{2})?$/),
          }),
        }),
        z.strictObject({ ...whatsapp, message_type: z.literal("image"), image: z.strictObject(media) }),
        z.strictObject({ ...whatsapp, message_type: z.literal("video"), video: z.strictObject(media) }),
        z.strictObject({
          ...whatsapp,
          message_type: z.literal("file"),
          file: z.strictObject({ ...media, name: z.string().optional() }),
        }),
        z.strictObject({
          ...whatsapp,
          message_type: z.literal("custom"),
          custom: z.looseObject({ type: z.string() }),
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
      body: z.looseObject({
        ...both,
        status: z.enum(["submitted", "delivered", "read", "undeliverable", "rejected"]),
        usage: usage.optional(),
        error: z
          .looseObject({ title: z.unknown(), type: z.string().optional(), detail: z.string() })
          .optional(),
      }),
      official: { file, path: "/_callback/message-status" },
    },
    "inbound-message": {
      body: z.looseObject({
        ...both,
        message_type: z
          .enum(["text", "image", "audio", "video", "file", "reply", "button", "reaction", "unsupported"])
          .optional(),
        text: z.string().optional(),
        reply: z.looseObject({ id: z.string(), title: z.string() }).optional(),
        context: z.looseObject({ message_uuid: z.string(), message_from: z.string() }).optional(),
      }),
      official: {
        file,
        path: "/_callback/inbound-message",
        beyond: ["message_type=button", "message_type=reaction"],
      },
    },
  },
};
