/** Source: https://www.twilio.com/docs/messaging/api/message-resource, .../content/content-api-resources */
import { z } from "zod";
import { basic, form, object, oneOf, only, open, some, text } from "./contract.ts";
import type { Contract } from "./contract.ts";

const sid = (prefix: string) => text.regex(new RegExp(`^${prefix}[0-9a-fA-F]{32}$`));
const messages = "/2010-04-01/Accounts/{AccountSid}/Messages.json";
const messageStatus = oneOf([
  ...(["accepted", "scheduled", "queued", "sending", "sent", "delivered", "read"] as const),
  ...(["undelivered", "failed", "canceled", "receiving", "received"] as const),
]);

export const twilioContract: Contract = {
  operations: [
    {
      method: "POST",
      path: messages,
      headers: { authorization: basic, "content-type": form },
      body: object({
        To: text.regex(/^(whatsapp:)?\+[1-9]\d{6,14}$/),
        From: some.optional(),
        MessagingServiceSid: sid("MG").optional(),
        Body: some.max(1_600).optional(),
        ContentSid: sid("HX").optional(),
        ContentVariables: text.startsWith("{").optional(),
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
      body: open({
        MessageSid: text,
        MessageStatus: messageStatus,
        ErrorCode: text.regex(/^\d+$/).optional(),
        ErrorMessage: text.optional(),
        RawDlrDoneDate: text.regex(/^\d{10}$/).optional(),
      }),
    },
    message: {
      body: open({
        MessageSid: text,
        SmsStatus: only("received"),
        From: text,
        To: text,
        Body: text,
        OptOutType: oneOf(["START", "STOP", "HELP"]).optional(),
        ButtonPayload: text.optional(),
        ButtonText: text.optional(),
      }),
    },
  },
};
