/** Source: https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html */
import { z } from "zod";
import { json, list, object, only, some, text } from "./contract.ts";
import type { Contract } from "./contract.ts";

const aws =
  /^AWS4-HMAC-SHA256 Credential=\w+\/\d{8}\/[a-z0-9-]+\/ses\/aws4_request, SignedHeaders=[a-z0-9;-]+, Signature=[0-9a-f]{64}$/;
const signed = { authorization: aws, "x-amz-date": /^\d{8}T\d{6}Z$/ };
const part = object({ Data: some, Charset: only("UTF-8") });

export const sesContract: Contract = {
  operations: [
    {
      method: "POST",
      path: "/v2/email/outbound-emails",
      headers: { ...signed, "content-type": json, "x-amz-content-sha256": /^[0-9a-f]{64}$/ },
      body: object({
        // ASCII only: other characters of a name are encoded words.
        FromEmailAddress: text.regex(/^[\x20-\x7e]{3,320}$/),
        Destination: object({ ToAddresses: list(z.email()).min(1).max(50) }),
        ReplyToAddresses: list(text.regex(/^[\x20-\x7e]{3,320}$/)).optional(),
        Content: z.union([
          object({
            Simple: object({
              Subject: part,
              Body: object({ Text: part.optional(), Html: part.optional() }),
            }),
          }),
          object({ Raw: object({ Data: z.base64() }) }),
        ]),
        ConfigurationSetName: text.optional(),
        EmailTags: list(
          object({
            Name: text.regex(/^[\w-]{1,256}$/),
            Value: text.regex(/^[\w-]{1,256}$/),
          }),
        ).optional(),
      }),
      official: { file: "amazon-sesv2-model.json" },
    },
    { method: "GET", path: "/v2/email/account", headers: signed },
  ],
};
