/** What a connection through Vonage's Messages API is configured with. */
import { z } from "zod";
import { baseUrl, line } from "../schemas.ts";

export const vonageCredentialsSchema = z.strictObject({
  applicationId: z
    .guid()
    .meta({ title: "Application ID", where: "Vonage API Dashboard → Applications → your application" }),
  privateKey: z
    .string()
    .trim()
    .max(8_192)
    .regex(/^-----BEGIN (RSA )?PRIVATE KEY-----/, { error: "A private key in PEM form" })
    .meta({
      title: "Private key",
      where:
        "Vonage API Dashboard → Applications → your application → Edit → Generate public and private key",
      description: "Of the application, as private.key has it",
      multiline: true,
    }),
  /** Key of the webhooks' tokens. */
  signatureSecret: line(256).meta({
    title: "Signature secret",
    where: "Vonage API Dashboard → API Settings → Signature secret",
    description: "In the account's API settings",
  }),
  apiKey: line(64).optional().meta({
    title: "API key",
    where: "Vonage API Dashboard → API Settings",
    description: "Only to show the balance",
  }),
  apiSecret: line(256).optional().meta({
    title: "API secret",
    where: "Vonage API Dashboard → API Settings",
    description: "Only to show the balance",
  }),
});
export type VonageCredentials = z.infer<typeof vonageCredentialsSchema>;

export const vonageSettingsSchema = z.strictObject({
  /** `global` lets Vonage choose the nearest. */
  region: z
    .enum(["global", "eu", "us"])
    .default("global")
    .meta({
      title: "Region",
      choices: { global: "Global", eu: "European Union", us: "United States" },
    }),
  baseUrl,
});
export type VonageSettings = z.infer<typeof vonageSettingsSchema>;
