/** Source: https://learn.microsoft.com/graph/api/user-sendmail, .../entra/identity-platform/v2-oauth2-client-creds-grant-flow */
import { z } from "zod";
import { bearer, form, json, list, object, oneOf, only, some, text } from "./contract.ts";
import type { Contract } from "./contract.ts";

const recipient = object({
  emailAddress: object({ address: z.email(), name: text.optional() }),
});

export const microsoft365Contract: Contract = {
  operations: [
    {
      method: "POST",
      path: "/{organisation}/oauth2/v2.0/token",
      headers: { "content-type": form },
      body: object({
        grant_type: only("client_credentials"),
        client_id: z.guid(),
        client_secret: some,
        scope: only("https://graph.microsoft.com/.default"),
      }),
    },
    {
      method: "POST",
      path: "/v1.0/users/{mailbox}/sendMail",
      headers: { authorization: bearer, "content-type": json },
      body: object({
        message: object({
          subject: text,
          body: object({ contentType: oneOf(["text", "html"]), content: text }),
          from: recipient,
          toRecipients: list(recipient).min(1),
          replyTo: list(recipient).optional(),
          internetMessageHeaders: list(object({ name: text.regex(/^x-/i), value: text }))
            .min(1)
            .max(5)
            .optional(),
          singleValueExtendedProperties: list(
            object({ id: text.regex(/^String 0x[0-9A-F]{4}$/), value: text }),
          ).optional(),
          attachments: list(
            object({
              "@odata.type": only("#microsoft.graph.fileAttachment"),
              name: text,
              contentType: text.optional(),
              contentBytes: z.base64(),
            }),
          ).optional(),
        }),
        saveToSentItems: z.boolean(),
      }),
      official: { file: "msgraph-sendmail.json", path: "/users/{id}/sendMail" },
    },
  ],
};
