/** Source: https://developers.facebook.com/documentation/business-messaging/whatsapp/reference */
import { z } from "zod";
import { bearer, digits, json, list, object, oneOf, only, open, some, text } from "./contract.ts";
import type { Contract } from "./contract.ts";

const file = "meta-whatsapp.yaml";
const headers = { authorization: bearer, "content-type": json, "user-agent": /^[a-z]+\/\d+\.\d+\.\d+$/ };
const common = {
  messaging_product: only("whatsapp"),
  recipient_type: only("individual"),
  to: digits,
};
const caption = text.max(1_024).optional();
const picture = object({ link: z.url(), caption });
const document = object({ link: z.url(), caption, filename: text.max(240).optional() });
const header = z.union([
  object({ type: only("text"), text: some.max(60) }),
  object({ type: only("image"), image: picture }),
  object({ type: only("video"), video: picture }),
  object({ type: only("document"), document }),
]);
const around = {
  header: header.optional(),
  body: object({ text: some.max(1_024) }),
  footer: object({ text: some.max(60) }).optional(),
};
const reply = object({ id: some.max(256), title: some.max(20) });

export const metaContract: Contract = {
  operations: [
    {
      method: "POST",
      path: "/{version}/{number}/messages",
      headers,
      body: z.union([
        object({
          ...common,
          type: only("text"),
          text: object({ body: some.max(4_096) }),
        }),
        object({ ...common, type: only("image"), image: picture }),
        object({ ...common, type: only("video"), video: picture }),
        object({ ...common, type: only("document"), document }),
        object({
          ...common,
          type: only("interactive"),
          interactive: z.union([
            object({
              ...around,
              type: only("button"),
              action: object({
                buttons: list(object({ type: only("reply"), reply }))
                  .min(1)
                  .max(3),
              }),
            }),
            object({
              ...around,
              type: only("cta_url"),
              action: object({
                name: only("cta_url"),
                parameters: object({ display_text: some.max(20), url: z.url() }),
              }),
            }),
          ]),
        }),
        object({
          ...common,
          type: only("template"),
          biz_opaque_callback_data: text.max(512).optional(),
          template: object({
            name: text.regex(/^[a-z0-9_]{1,512}$/),
            language: object({ policy: only("deterministic"), code: text }),
            components: list(
              object({
                type: oneOf(["header", "body", "button"]),
                sub_type: oneOf(["quick_reply", "url"]).optional(),
                index: text.regex(/^\d$/).optional(),
                parameters: list(
                  open({ type: oneOf(["text", "payload", "image", "video", "document"]) }),
                ).min(1),
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
      body: open({
        object: text,
        entry: list(
          open({
            id: text,
            changes: list(
              open({
                field: text,
                value: open({
                  messaging_product: only("whatsapp"),
                  metadata: open({ display_phone_number: text, phone_number_id: text }),
                  statuses: list(
                    open({
                      id: text,
                      status: oneOf(["sent", "delivered", "read", "failed"]),
                      timestamp: text,
                      recipient_id: text,
                      biz_opaque_callback_data: text.optional(),
                      pricing: open({ billable: z.boolean(), category: text }).optional(),
                      errors: list(open({ code: z.int(), error_data: open({}) })).optional(),
                    }),
                  ).optional(),
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
