/** Source: https://resend.com/docs/api-reference/emails/send-email, .../docs/dashboard/webhooks/event-types */
import { z } from "zod";
import { bearer, json, list, object, oneOf, only, open, some, text } from "./contract.ts";
import type { Contract } from "./contract.ts";

const file = "resend.yaml";
const about = {
  email_id: text,
  created_at: text,
  from: text,
  to: list(text),
  subject: text,
};
const event = (type: string, more: Record<string, z.ZodType> = {}) => ({
  body: open({
    type: only(type),
    created_at: text,
    data: open({ ...about, ...more, tags: z.record(text, text).optional() }),
  }),
  official: { file, path: `/_callback/${type}` },
});

export const resendContract: Contract = {
  operations: [
    {
      method: "POST",
      path: "/emails",
      headers: { authorization: bearer, "content-type": json, "idempotency-key": /^.{1,256}$/ },
      body: object({
        from: some,
        to: list(z.email()).min(1).max(50),
        subject: some,
        reply_to: text.optional(),
        text: text.optional(),
        html: text.optional(),
        headers: z.record(text, text).optional(),
        attachments: list(
          object({
            filename: text,
            content: z.base64(),
            content_type: text.optional(),
          }),
        ).optional(),
        tags: list(object({ name: text.max(256), value: text.regex(/^[\w-]{1,256}$/) })).optional(),
      }),
      official: { file },
    },
    { method: "GET", path: "/domains", headers: { authorization: bearer } },
  ],
  callbacks: {
    "email.sent": event("email.sent"),
    "email.scheduled": event("email.scheduled"),
    "email.delivered": event("email.delivered"),
    "email.delivery_delayed": event("email.delivery_delayed"),
    "email.opened": event("email.opened"),
    "email.complained": event("email.complained"),
    "email.clicked": event("email.clicked", {
      click: open({
        ipAddress: text,
        link: text,
        timestamp: text,
        userAgent: text,
      }),
    }),
    "email.bounced": event("email.bounced", {
      bounce: open({
        type: oneOf(["Undetermined", "Transient", "Permanent"]),
        subType: oneOf(["Undetermined", "General", "NoEmail", "MailboxFull", "MessageTooLarge"]),
        diagnosticCode: list(text),
        message: text,
      }),
    }),
    "email.suppressed": event("email.suppressed", {
      suppressed: open({
        diagnosticCode: list(text),
        message: text,
        reason: oneOf(["previous_bounce", "previous_complaint"]),
        type: oneOf(["Suppressed", "OnAccountSuppressionList"]),
      }),
    }),
    "email.failed": event("email.failed", { failed: open({ reason: text }) }),
  },
};
