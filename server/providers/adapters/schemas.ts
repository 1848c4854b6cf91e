/**
 * What each kind of provider connection is configured with. Browser-safe: the portal's forms are made
 * from the same schemas that guard the stored values. Credentials are secrets, settings are not.
 */
import { z } from "zod";

export const adapterNameSchema = z.enum(["smtp", "twilio", "simulator"]);
export type AdapterName = z.infer<typeof adapterNameSchema>;

export const channelSchema = z.enum(["sms", "email", "whatsapp"]);
export type Channel = z.infer<typeof channelSchema>;

const hostname = z
  .string()
  .trim()
  .min(1)
  .max(253)
  .regex(
    /^(\[?[0-9a-fA-F:.]+\]?|[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?(\.[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?)*\.?)$/,
    {
      error: "A host name or an IP address",
    },
  );
/** One line of printable characters; keeps CR, LF and NUL out of protocol lines. */
const line = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^\P{Cc}*$/u, { error: "Control characters are not allowed" });

export const smtpCredentialsSchema = z
  .strictObject({
    user: line(320).optional().meta({ title: "User name" }),
    password: line(1_000).optional().meta({ title: "Password" }),
    dkimPrivateKey: z
      .string()
      .max(10_000)
      .regex(/^-----BEGIN [A-Z ]*PRIVATE KEY-----\r?\n/, { error: "A private key in PEM format" })
      .optional()
      .meta({ title: "DKIM private key" }),
  })
  .refine((value) => (value.user === undefined) === (value.password === undefined), {
    error: "User name and password belong together",
    path: ["password"],
  });
export type SmtpCredentials = z.infer<typeof smtpCredentialsSchema>;

export const smtpSettingsSchema = z.strictObject({
  host: hostname.meta({ title: "Server" }),
  port: z.number().int().min(1).max(65_535).default(587).meta({ title: "Port" }),
  /** `none` is only dialled inside ranges that the operator opened, like plain http. */
  security: z.enum(["tls", "starttls", "none"]).default("starttls").meta({ title: "Encryption" }),
  /** The name given in EHLO; the machine's own when absent. */
  clientName: hostname.optional().meta({ title: "EHLO name" }),
  maxConnections: z.number().int().min(1).max(50).default(5).meta({ title: "Connections at once" }),
  dkim: z
    .strictObject({ domain: hostname, selector: line(63).regex(/^[A-Za-z0-9._-]+$/) })
    .optional()
    .meta({ title: "DKIM" }),
});
export type SmtpSettings = z.infer<typeof smtpSettingsSchema>;

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
  /** Another address that speaks Twilio's contract, instead of the region's own. */
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({ title: "Base URL" }),
});
export type TwilioSettings = z.infer<typeof twilioSettingsSchema>;

export const simulatorCredentialsSchema = z.strictObject({
  /** Signs the callbacks that the simulator posts to this service. */
  signingKey: line(256).min(16),
});
export type SimulatorCredentials = z.infer<typeof simulatorCredentialsSchema>;

export const simulatorSettingsSchema = z.strictObject({});
export type SimulatorSettings = z.infer<typeof simulatorSettingsSchema>;
