/** What a connection through SMTP is configured with. */
import { z } from "zod";
import { hostname, line } from "../schemas.ts";

export const smtpCredentialsSchema = z
  .strictObject({
    user: line(320).optional().meta({ title: "User name", where: "Your mail provider → SMTP settings" }),
    password: line(1_000)
      .optional()
      .meta({ title: "Password", where: "Your mail provider → SMTP settings, often a password for apps" }),
    dkimPrivateKey: z
      .string()
      .max(10_000)
      .regex(/^-----BEGIN [A-Z ]*PRIVATE KEY-----\r?\n/, { error: "A private key in PEM format" })
      .optional()
      .meta({
        title: "DKIM private key",
        description: "Signs messages; used with the DKIM domain and selector",
        multiline: true,
      }),
    bounceSecret: z
      .string()
      .min(20, { error: "At least 20 characters" })
      .max(200)
      .regex(/^[\x21-\x7e]+$/, { error: "Letters, digits and signs, without spaces" })
      .optional()
      .meta({
        title: "Bounce secret",
        description: "With it your mail server hands over what comes back to the bounce domain",
      }),
  })
  .refine((value) => (value.user === undefined) === (value.password === undefined), {
    error: "User name and password belong together",
    path: ["password"],
  });
export type SmtpCredentials = z.infer<typeof smtpCredentialsSchema>;

export const smtpSettingsSchema = z.strictObject({
  host: hostname.meta({ title: "Server", where: "Your mail provider → SMTP settings → outgoing server" }),
  port: z.number().int().min(1).max(65_535).default(587).meta({ title: "Port" }),
  /** `none` is only dialled inside ranges that the operator opened, like plain http. */
  security: z
    .enum(["tls", "starttls", "none"])
    .default("starttls")
    .meta({
      title: "Encryption",
      description: "None works only inside ranges that the operator opened",
      choices: {
        tls: "TLS from the first byte (port 465)",
        starttls: "STARTTLS before anything else (port 587)",
        none: "None",
      },
    }),
  /** The name given in EHLO; the machine's own when absent. */
  clientName: hostname
    .optional()
    .meta({ title: "EHLO name", description: "How this service calls itself; empty: the machine's name" }),
  maxConnections: z.number().int().min(1).max(50).default(5).meta({ title: "Connections at once" }),
  bounceDomain: hostname
    .regex(/\.[A-Za-z][A-Za-z0-9-]*$/, { error: "A domain, such as bounces.example.com" })
    .optional()
    .meta({
      title: "Bounce domain",
      description: "Mail that cannot be delivered comes back to an address there, one for each message",
    }),
  dkim: z
    .strictObject({
      domain: hostname.meta({ title: "DKIM domain", description: "The sender's domain" }),
      selector: line(63)
        .regex(/^[A-Za-z0-9._-]+$/, { error: "Letters, digits, ., _ and -" })
        .meta({ title: "DKIM selector", description: "The public key stands at selector._domainkey.domain" }),
    })
    .optional()
    .meta({ title: "DKIM" }),
});
export type SmtpSettings = z.infer<typeof smtpSettingsSchema>;
