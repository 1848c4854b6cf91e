/** Source: https://developers.facebook.com/documentation/business-messaging/whatsapp/reference */
import { z } from "zod";
import { bearer, digits, json } from "./contract.ts";
import type { Contract } from "./contract.ts";

const file = "meta-whatsapp.yaml";
const headers = { authorization: bearer, "content-type": json, "user-agent": /^[a-z]+\/\d+\.\d+\.\d+$/ };
const common = {
  messaging_product: z.literal("whatsapp"),
  recipient_type: z.literal("individual"),
  to: digits,
};
const caption = z.string().max(1_024).optional();
const picture = z.strictObject({ link: z.url(), caption });
const document = z.strictObject({ link: z.url(), caption, filename: z.string().max(240).optional() });
const header = z.union([
  z.strictObject({ type: z.literal("text"), text: z.string().min(1).max(60) }),
  z.strictObject({ type: z.literal("image"), image: picture }),
  z.strictObject({ type: z.literal("video"), video: picture }),
  z.strictObject({ type: z.literal("document"), document }),
]);
const around = {
  header: header.optional(),
  body: z.strictObject({ text: z.string().min(1).max(1_024) }),
  footer: z.strictObject({ text: z.string().min(1).max(60) }).optional(),
};
const reply = z.strictObject({ id: z.string().min(1).max(256), title: z.string().min(1).max(20) });

export const metaContract: Contract = {
  operations: [
    {
      method: "POST",
      path: "/{version}/{number}/messages",
      headers,
      body: z.union([
        z.strictObject({
          ...common,
          type: z.literal("text"),
          text: z.strictObject({ body: z.string().min(1).max(4_096) }),
        }),
        z.strictObject({ ...common, type: z.literal("image"), image: picture }),
        z.strictObject({ ...common, type: z.literal("video"), video: picture }),
        z.strictObject({ ...common, type: z.literal("document"), document }),
        z.strictObject({
          ...common,
          type: z.literal("interactive"),
          interactive: z.union([
            z.strictObject({
              ...around,
              type: z.literal("button"),
              action: z.strictObject({
                buttons: z
                  .array(z.strictObject({ type: z.literal("reply"), reply }))
                  .min(1)
                  .max(3),
              }),
            }),
            z.strictObject({
              ...around,
              type: z.literal("cta_url"),
              action: z.strictObject({
                name: z.literal("cta_url"),
                parameters: z.strictObject({ display_text: z.string().min(1).max(20), url: z.url() }),
              }),
            }),
          ]),
        }),
        z.strictObject({
          ...common,
          type: z.literal("template"),
          biz_opaque_callback_data: z.string().max(512).optional(),
          template: z.strictObject({
            name: z.string().regex(/^[a-z0-9_]{1,512}$/),
            language: z.strictObject({ policy: z.literal("deterministic"), code: z.string() }),
            components: z.array(
              z.strictObject({
                type: z.enum(["header", "body", "button"]),
                sub_type: z.enum(["quick_reply", "url"]).optional(),
                index: z.string().regex(/^\d$/).optional(),
                parameters: z
                  .array(z.looseObject({ type: z.enum(["text", "payload", "image", "video", "document"]) }))
                  .min(1),
              }),
            ),
          }),
        }),
      ]),
      official: {
        file,
        path: "/{Version}/{Phone-Number-ID}/messages",
        beyond: [
          "biz_opaque_callback_data",
          // A button with an address is newer than this version.
          ...["interactive.type=cta_url", "interactive.action.name=cta_url"],
          ...["interactive.action.parameters.display_text", "interactive.action.parameters.url"],
          ...["", "interactive.header."].flatMap((at) =>
            ["image.caption", "video.caption", "document.caption", "document.filename"].map(
              (name) => at + name,
            ),
          ),
        ],
      },
    },
    {
      method: "GET",
      path: "/{version}/{account}/message_templates",
      headers,
      official: { file, path: "/{Version}/{WABA-ID}/message_templates" },
    },
    { method: "GET", path: "/{version}/{number}", headers },
  ],
  callbacks: {
    webhook: {
      body: z.looseObject({
        object: z.string(),
        entry: z.array(
          z.looseObject({
            id: z.string(),
            changes: z.array(
              z.looseObject({
                field: z.string(),
                value: z.looseObject({
                  messaging_product: z.literal("whatsapp"),
                  metadata: z.looseObject({ display_phone_number: z.string(), phone_number_id: z.string() }),
                  statuses: z
                    .array(
                      z.looseObject({
                        id: z.string(),
                        status: z.enum(["sent", "delivered", "read", "failed"]),
                        timestamp: z.string(),
                        recipient_id: z.string(),
                        biz_opaque_callback_data: z.string().optional(),
                        pricing: z.looseObject({ billable: z.boolean(), category: z.string() }).optional(),
                        errors: z
                          .array(z.looseObject({ code: z.int(), error_data: z.looseObject({}) }))
                          .optional(),
                      }),
                    )
                    .optional(),
                }),
              }),
            ),
          }),
        ),
      }),
      official: {
        file,
        path: "/whatsapp/webhooks",
        beyond: ["entry[].changes[].value.statuses[].biz_opaque_callback_data"],
      },
    },
  },
};
