/** What a connection through Amazon SES is configured with. */
import { z } from "zod";
import { baseUrl, line } from "../schemas.ts";

export const sesCredentialsSchema = z.strictObject({
  accessKeyId: z
    .string()
    .trim()
    .regex(/^[A-Z0-9]{16,128}$/, { error: "Capital letters and digits, as IAM shows it" })
    .meta({
      title: "Access key ID",
      where: "AWS Console → IAM → Users → your user → Security credentials → Access keys",
    }),
  secretAccessKey: line(256).meta({
    title: "Secret access key",
    where: "AWS Console → IAM → Users → your user → Security credentials → Access keys, shown once",
  }),
});
export type SesCredentials = z.infer<typeof sesCredentialsSchema>;

export const sesSettingsSchema = z.strictObject({
  region: z
    .string()
    .trim()
    .max(30)
    .regex(/^[a-z]{2}(-[a-z]+){1,3}-\d$/, { error: "An AWS region, e.g. eu-central-1" })
    .meta({ title: "Region", description: "The AWS region of the identities, e.g. eu-central-1" }),
  configurationSet: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, { error: "Letters, digits, _ and -, at most 64" })
    .optional()
    .meta({
      title: "Configuration set",
      where: "AWS Console → Amazon SES → Configuration sets",
      description: "The one whose events go to the topic below",
    }),
  /** Only this topic may report; without it there are no receipts: a sent message is then final. */
  topicArn: z
    .string()
    .trim()
    .regex(/^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[A-Za-z0-9_-]{1,256}$/, {
      error: "The ARN of an SNS topic",
    })
    .optional()
    .meta({
      title: "SNS topic ARN",
      where: "AWS Console → Amazon SNS → Topics",
      description: "The topic that the configuration set's events go to; without it there are no receipts",
    }),
  baseUrl,
});
export type SesSettings = z.infer<typeof sesSettingsSchema>;
