/** What a connection through Resend is configured with. */
import { z } from "zod";
import { baseUrl, line } from "../schemas.ts";

export const resendCredentialsSchema = z.strictObject({
  apiKey: line(256).meta({
    title: "API key",
    where: "Resend → API Keys",
    description: "Sending access is enough",
  }),
  /** Without it there are no receipts: a sent message is then final. */
  webhookSecret: z
    .string()
    .trim()
    .max(500)
    .regex(/^whsec_[A-Za-z0-9+/]{20,}={0,2}$/, { error: "whsec_ and base64, as Resend shows it" })
    .optional()
    .meta({
      title: "Webhook signing secret",
      where: "Resend → Webhooks → your webhook → Signing Secret",
      description: "From the page of the webhook; without it there are no receipts",
    }),
});
export type ResendCredentials = z.infer<typeof resendCredentialsSchema>;

export const resendSettingsSchema = z.strictObject({ baseUrl });
export type ResendSettings = z.infer<typeof resendSettingsSchema>;
