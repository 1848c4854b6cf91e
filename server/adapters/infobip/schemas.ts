/** What a connection through Infobip is configured with. */
import { z } from "zod";
import { line } from "../schemas.ts";

export const infobipCredentialsSchema = z.strictObject({
  apiKey: line(256)
    .regex(/^\S+$/, { error: "No spaces" })
    .meta({ title: "API key", where: "Infobip Portal → Developer Tools → API Keys" }),
  /** Signs the addresses of delivery reports, and proves subscriptions: password (Basic) or key (HMAC). */
  callbackSecret: line(255).min(16).meta({
    title: "Callback secret",
    description: "Any text of 16 characters or more; the password or HMAC key of Infobip's subscriptions",
  }),
});
export type InfobipCredentials = z.infer<typeof infobipCredentialsSchema>;

export const infobipSettingsSchema = z.strictObject({
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .max(2_048)
    .meta({
      title: "Base URL",
      where: "Infobip Portal → Developer Tools → API Keys, beside the key",
      description: "Your own one, such as https://abc123.api.infobip.com",
    }),
  whatsappSender: z
    .string()
    .regex(/^\+?[1-9]\d{6,14}$/, { error: "A phone number in international format" })
    .optional()
    .meta({ title: "WhatsApp sender", description: "The number whose templates' approval is asked about" }),
  signatureHeader: line(64)
    .regex(/^[A-Za-z0-9-]+$/, { error: "A header's name" })
    .optional()
    .meta({
      title: "Signature header",
      description:
        "When subscriptions are secured with HMAC_SHA_256: the header that carries the signature. Empty: with Basic and the user name tidings",
    }),
});
export type InfobipSettings = z.infer<typeof infobipSettingsSchema>;
