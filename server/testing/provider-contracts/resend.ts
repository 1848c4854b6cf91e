/** Source: https://resend.com/docs/api-reference/emails/send-email, .../docs/dashboard/webhooks/event-types */
import { z } from "zod";
import { bearer, json } from "./contract.ts";
import type { Contract } from "./contract.ts";

const file = "resend.yaml";
const about = {
  email_id: z.string(),
  created_at: z.string(),
  from: z.string(),
  to: z.array(z.string()),
  subject: z.string(),
};
const event = (type: string, more: Record<string, z.ZodType> = {}) => ({
  body: z.looseObject({
    type: z.literal(type),
    created_at: z.string(),
    data: z.looseObject({ ...about, ...more, tags: z.record(z.string(), z.string()).optional() }),
  }),
  official: { file, path: `/_callback/${type}` },
});

export const resendContract: Contract = {
  operations: [
    {
      method: "POST",
      path: "/emails",
      headers: { authorization: bearer, "content-type": json, "idempotency-key": /^.{1,256}$/ },
      body: z.strictObject({
        from: z.string().min(1),
        to: z.array(z.email()).min(1).max(50),
        subject: z.string().min(1),
        reply_to: z.string().optional(),
        text: z.string().optional(),
        html: z.string().optional(),
        headers: z.record(z.string(), z.string()).optional(),
        attachments: z
          .array(
            z.strictObject({
              filename: z.string(),
              content: z.base64(),
              content_type: z.string().optional(),
            }),
          )
          .optional(),
        tags: z
          .array(z.strictObject({ name: z.string().max(256), value: z.string().regex(/^[\w-]{1,256}$/) }))
          .optional(),
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
      click: z.looseObject({
        ipAddress: z.string(),
        link: z.string(),
        timestamp: z.string(),
        userAgent: z.string(),
      }),
    }),
    "email.bounced": event("email.bounced", {
      bounce: z.looseObject({
        type: z.enum(["Undetermined", "Transient", "Permanent"]),
        subType: z.enum(["Undetermined", "General", "NoEmail", "MailboxFull", "MessageTooLarge"]),
        diagnosticCode: z.array(z.string()),
        message: z.string(),
      }),
    }),
    "email.suppressed": event("email.suppressed", {
      suppressed: z.looseObject({
        diagnosticCode: z.array(z.string()),
        message: z.string(),
        reason: z.enum(["previous_bounce", "previous_complaint"]),
        type: z.enum(["Suppressed", "OnAccountSuppressionList"]),
      }),
    }),
    "email.failed": event("email.failed", { failed: z.looseObject({ reason: z.string() }) }),
  },
};
