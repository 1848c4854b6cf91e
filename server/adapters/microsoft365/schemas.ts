/** What a connection through Microsoft 365 is configured with. */
import { z } from "zod";
import { baseUrl, line } from "../schemas.ts";

export const microsoft365CredentialsSchema = z.strictObject({
  clientSecret: line(256).meta({
    title: "Client secret",
    where: "Microsoft Entra admin center → App registrations → your app → Certificates & secrets → Value",
    description: "The value, not the ID, of a secret of the app registration",
  }),
});
export type Microsoft365Credentials = z.infer<typeof microsoft365CredentialsSchema>;

export const microsoft365SettingsSchema = z.strictObject({
  tenantId: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9][A-Za-z0-9.-]{0,252}$/, { error: "The directory's ID or one of its domains" })
    .meta({
      title: "Directory (tenant) ID",
      where: "Microsoft Entra admin center → App registrations → your app → Overview",
    }),
  clientId: z.guid({ error: "The application's ID" }).meta({
    title: "Application (client) ID",
    where: "Microsoft Entra admin center → App registrations → your app → Overview",
  }),
  saveToSentItems: z
    .boolean()
    .default(false)
    .meta({ title: "Keep a copy", description: "In the sender's Sent Items" }),
  baseUrl,
});
export type Microsoft365Settings = z.infer<typeof microsoft365SettingsSchema>;
