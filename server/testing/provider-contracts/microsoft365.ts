/** Source: https://learn.microsoft.com/graph/api/user-sendmail, .../entra/identity-platform/v2-oauth2-client-creds-grant-flow */
import { z } from "zod";
import { bearer, form, json } from "./contract.ts";
import type { Contract } from "./contract.ts";

const recipient = z.strictObject({
  emailAddress: z.strictObject({ address: z.email(), name: z.string().optional() }),
});

export const microsoft365Contract: Contract = {
  operations: [
    {
      method: "POST",
      path: "/{organisation}/oauth2/v2.0/token",
      headers: { "content-type": form },
      body: z.strictObject({
        grant_type: z.literal("client_credentials"),
        client_id: z.guid(),
        client_secret: z.string().min(1),
        scope: z.literal("https://graph.microsoft.com/.default"),
      }),
    },
    {
      method: "POST",
      path: "/v1.0/users/{mailbox}/sendMail",
      headers: { authorization: bearer, "content-type": json },
      body: z.strictObject({
        message: z.strictObject({
          subject: z.string(),
          body: z.strictObject({ contentType: z.enum(["text", "html"]), content: z.string() }),
          from: recipient,
          toRecipients: z.array(recipient).min(1),
          replyTo: z.array(recipient).optional(),
          internetMessageHeaders: z
            .array(z.strictObject({ name: z.string().regex(/^x-/i), value: z.string() }))
            .min(1)
            .max(5)
            .optional(),
          singleValueExtendedProperties: z
            .array(z.strictObject({ id: z.string().regex(/^String 0x[0-9A-F]{4}$/), value: z.string() }))
            .optional(),
          attachments: z
            .array(
              z.strictObject({
                "@odata.type": z.literal("#microsoft.graph.fileAttachment"),
                name: z.string(),
                contentType: z.string().optional(),
                contentBytes: z.base64(),
              }),
            )
            .optional(),
        }),
        saveToSentItems: z.boolean(),
      }),
      official: { file: "msgraph-sendmail.json", path: "/users/{id}/sendMail" },
    },
  ],
};
