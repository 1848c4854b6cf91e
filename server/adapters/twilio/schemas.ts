/** What a connection through Twilio is configured with. */
import { z } from "zod";
import { baseUrl, line } from "../schemas.ts";

const sid = (prefix: string) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}[0-9a-fA-F]{32}$`), { error: `${prefix} and 32 hexadecimal digits` });

export const twilioCredentialsSchema = z.strictObject({
  accountSid: sid("AC").meta({
    title: "Account SID",
    where: "Twilio Console → Account Dashboard → Account Info",
  }),
  authToken: line(256).meta({
    title: "Auth token",
    where: "Twilio Console → Account Dashboard → Account Info → Auth Token",
    description: "Also signs Twilio's callbacks, so an API key and its secret will not do",
  }),
});
export type TwilioCredentials = z.infer<typeof twilioCredentialsSchema>;

export const twilioSettingsSchema = z.strictObject({
  region: z
    .enum(["us1", "ie1", "au1"])
    .default("us1")
    .meta({
      title: "Region",
      description: "Where Twilio processes and stores messages",
      choices: { us1: "United States (us1)", ie1: "Ireland (ie1)", au1: "Australia (au1)" },
    }),
  messagingServiceSid: sid("MG").optional().meta({
    title: "Messaging service SID",
    where: "Twilio Console → Messaging → Services",
    description: "Twilio then chooses the number where the connection has no sender",
  }),
  baseUrl,
});
export type TwilioSettings = z.infer<typeof twilioSettingsSchema>;
