/** What a connection through Meta's WhatsApp Cloud API is configured with. */
import { z } from "zod";
import { baseUrl, line } from "../schemas.ts";

const graphId = z.string().regex(/^\d{5,25}$/, { error: "A number of Meta's, such as 106540352242922" });

export const metaCredentialsSchema = z.strictObject({
  accessToken: line(1_024).regex(/^\S+$/, { error: "No spaces" }).meta({
    title: "Access token",
    where: "Meta Business Settings → Users → System users → Generate token",
    description: "Of a system user, with whatsapp_business_messaging and whatsapp_business_management",
  }),
  /** Key of the callbacks' signatures. */
  appSecret: line(128).meta({
    title: "App secret",
    where: "Meta App Dashboard → App settings → Basic → App secret",
    description: "Of the Meta app; signs its callbacks",
  }),
  verifyToken: line(256).min(8).meta({
    title: "Verify token",
    where: "Meta App Dashboard → WhatsApp → Configuration → Verify token: enter the same text there",
    description: "Any text; the same one is entered with the callback URL",
  }),
});
export type MetaCredentials = z.infer<typeof metaCredentialsSchema>;

export const metaSettingsSchema = z.strictObject({
  phoneNumberId: graphId.meta({
    title: "Phone number ID",
    where: "Meta App Dashboard → WhatsApp → API Setup",
    description: "The sender; not the number itself",
  }),
  wabaId: graphId.optional().meta({
    title: "WhatsApp Business Account ID",
    where: "Meta App Dashboard → WhatsApp → API Setup",
    description: "For approvals, and for templates with variables in a header or a button",
  }),
  version: z
    .string()
    .regex(/^v\d{1,2}\.\d$/, { error: "Such as v23.0" })
    .default("v23.0")
    .meta({ title: "Graph API version" }),
  baseUrl,
});
export type MetaSettings = z.infer<typeof metaSettingsSchema>;
