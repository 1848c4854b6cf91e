/** Source: https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send, .../for-developers/tracking-events/event */
import { z } from "zod";
import { bearer, json } from "./contract.ts";
import type { Contract } from "./contract.ts";

const mailbox = z.strictObject({ email: z.email(), name: z.string().optional() });

export const sendgridContract: Contract = {
  operations: [
    {
      method: "POST",
      path: "/v3/mail/send",
      headers: { authorization: bearer, "content-type": json },
      body: z.strictObject({
        personalizations: z
          .array(
            z.strictObject({
              to: z.array(mailbox).min(1),
              custom_args: z.record(z.string(), z.string()).optional(),
            }),
          )
          .min(1),
        from: mailbox,
        reply_to: mailbox.optional(),
        subject: z.string().min(1),
        content: z
          .array(z.strictObject({ type: z.enum(["text/plain", "text/html"]), value: z.string().min(1) }))
          .min(1),
        headers: z.record(z.string(), z.string()).optional(),
        attachments: z
          .array(
            z.strictObject({
              content: z.base64(),
              type: z.string().optional(),
              filename: z.string(),
              disposition: z.enum(["inline", "attachment"]).optional(),
            }),
          )
          .optional(),
      }),
      official: { file: "sendgrid.yaml" },
    },
    { method: "GET", path: "/v3/scopes", headers: { authorization: bearer } },
  ],
  callbacks: {
    events: {
      body: z.array(
        z.looseObject({
          event: z.string(),
          email: z.string(),
          timestamp: z.int(),
          sg_event_id: z.string(),
          sg_message_id: z.string(),
          reason: z.string().optional(),
          status: z
            .string()
            .regex(/^\d\.\d{1,3}\.\d{1,3}$/)
            .optional(),
          type: z.enum(["bounce", "blocked"]).optional(),
          bounce_classification: z.string().optional(),
        }),
      ),
    },
  },
};
