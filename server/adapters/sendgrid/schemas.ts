/** What a connection through SendGrid is configured with. */
import { z } from "zod";
import { baseUrl, line } from "../schemas.ts";

export const sendgridCredentialsSchema = z.strictObject({
  apiKey: line(256).meta({
    title: "API key",
    where: "SendGrid → Settings → API Keys",
    description: "Needs the permission Mail Send",
  }),
});
export type SendgridCredentials = z.infer<typeof sendgridCredentialsSchema>;

export const sendgridSettingsSchema = z.strictObject({
  region: z
    .enum(["global", "eu"])
    .default("global")
    .meta({ title: "Region", choices: { global: "Global", eu: "European Union, for EU regional subusers" } }),
  /** A public key, no secret. Without it there are no receipts: a sent message is then final. */
  verificationKey: z
    .string()
    .trim()
    .max(500)
    .regex(/^[A-Za-z0-9+/]{80,}={0,2}$/, { error: "The public key as SendGrid shows it, one line" })
    .optional()
    .meta({
      title: "Event webhook verification key",
      where: "SendGrid → Settings → Mail Settings → Event Webhooks → Signature Verification",
      description: "From the settings of the signed event webhook; without it there are no receipts",
    }),
  baseUrl,
});
export type SendgridSettings = z.infer<typeof sendgridSettingsSchema>;
