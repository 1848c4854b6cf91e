/** Source: https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send, .../for-developers/tracking-events/event */
import { z } from "zod";
import { bearer, json, list, object, oneOf, open, some, text } from "./contract.ts";
import type { Contract } from "./contract.ts";

const mailbox = object({ email: z.email(), name: text.optional() });

export const sendgridContract: Contract = {
  operations: [
    {
      method: "POST",
      path: "/v3/mail/send",
      headers: { authorization: bearer, "content-type": json },
      body: object({
        personalizations: list(
          object({
            to: list(mailbox).min(1),
            custom_args: z.record(text, text).optional(),
          }),
        ).min(1),
        from: mailbox,
        reply_to: mailbox.optional(),
        subject: some,
        content: list(object({ type: oneOf(["text/plain", "text/html"]), value: some })).min(1),
        headers: z.record(text, text).optional(),
        attachments: list(
          object({
            content: z.base64(),
            type: text.optional(),
            filename: text,
            disposition: oneOf(["inline", "attachment"]).optional(),
          }),
        ).optional(),
      }),
      official: { file: "sendgrid.yaml" },
    },
    { method: "GET", path: "/v3/scopes", headers: { authorization: bearer } },
  ],
  callbacks: {
    events: {
      body: list(
        open({
          event: text,
          email: text,
          timestamp: z.int(),
          sg_event_id: text,
          sg_message_id: text,
          reason: text.optional(),
          status: text.regex(/^\d\.\d{1,3}\.\d{1,3}$/).optional(),
          type: oneOf(["bounce", "blocked"]).optional(),
          bounce_classification: text.optional(),
        }),
      ),
    },
  },
};
