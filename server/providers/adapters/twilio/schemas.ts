/** What a connection through Twilio is configured with. */
import { z } from "zod";
import { baseUrl, line } from "../schemas.ts";

const sid = (prefix: string) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}[0-9a-fA-F]{32}$`), { error: `${prefix} and 32 hexadecimal digits` });

export const twilioCredentialsSchema = z.strictObject({
  accountSid: sid("AC").meta({ title: "Account SID" }),
  /** Also the key of the callbacks' signatures, therefore not an API key and secret. */
  authToken: line(256).meta({ title: "Auth token" }),
});
export type TwilioCredentials = z.infer<typeof twilioCredentialsSchema>;

export const twilioSettingsSchema = z.strictObject({
  /** Where Twilio processes and stores the message: United States, Ireland, Australia. */
  region: z.enum(["us1", "ie1", "au1"]).default("us1").meta({ title: "Region" }),
  messagingServiceSid: sid("MG").optional().meta({ title: "Messaging service SID" }),
  baseUrl,
});
export type TwilioSettings = z.infer<typeof twilioSettingsSchema>;
