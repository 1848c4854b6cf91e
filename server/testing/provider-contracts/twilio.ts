/** Source: https://www.twilio.com/docs/messaging/api/message-resource, .../content/content-api-resources */
import { z } from "zod";
import { basic, form } from "./contract.ts";
import type { Contract } from "./contract.ts";

const sid = (prefix: string) => z.string().regex(new RegExp(`^${prefix}[0-9a-fA-F]{32}$`));
const messages = "/2010-04-01/Accounts/{AccountSid}/Messages.json";
const messageStatus = z.enum([
  ...["accepted", "scheduled", "queued", "sending", "sent", "delivered", "read"],
  ...["undelivered", "failed", "canceled", "receiving", "received"],
]);

export const twilioContract: Contract = {
  operations: [
    {
      method: "POST",
      path: messages,
      headers: { authorization: basic, "content-type": form },
      body: z
        .strictObject({
          To: z.string().regex(/^(whatsapp:)?\+[1-9]\d{6,14}$/),
          From: z.string().min(1).optional(),
          MessagingServiceSid: sid("MG").optional(),
          Body: z.string().min(1).max(1_600).optional(),
          ContentSid: sid("HX").optional(),
          ContentVariables: z.string().startsWith("{").optional(),
          StatusCallback: z.url().optional(),
        })
        .refine((fields) => fields.From ?? fields.MessagingServiceSid, { error: "A sender is missing" })
        .refine((fields) => fields.Body ?? fields.ContentSid, { error: "A content is missing" }),
      official: { file: "twilio.yaml" },
    },
    { method: "GET", path: messages, headers: { authorization: basic } },
    { method: "GET", path: "/2010-04-01/Accounts/{AccountSid}.json", headers: { authorization: basic } },
    {
      method: "GET",
      path: "/v1/Content/{Sid}/ApprovalRequests",
      headers: { authorization: basic },
      official: { file: "twilio-content.yaml" },
    },
  ],
  callbacks: {
    status: {
      body: z.looseObject({
        MessageSid: z.string(),
        MessageStatus: messageStatus,
        ErrorCode: z.string().regex(/^\d+$/).optional(),
        ErrorMessage: z.string().optional(),
        RawDlrDoneDate: z
          .string()
          .regex(/^\d{10}$/)
          .optional(),
      }),
    },
    message: {
      body: z.looseObject({
        MessageSid: z.string(),
        SmsStatus: z.literal("received"),
        From: z.string(),
        To: z.string(),
        Body: z.string(),
        OptOutType: z.enum(["START", "STOP", "HELP"]).optional(),
        ButtonPayload: z.string().optional(),
        ButtonText: z.string().optional(),
      }),
    },
  },
};
