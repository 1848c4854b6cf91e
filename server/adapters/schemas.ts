/**
 * What the configurations of all kinds of provider connections share; each adapter's own schemas are beside it.
 * Browser-safe: the portal's forms are made from the same schemas that guard the stored values. Credentials are secrets,
 * settings are not. `title` of a field's meta is its label, `description` its hint.
 */
import { z } from "zod";

export const adapterNameSchema = z.enum([
  "smtp",
  "sendgrid",
  "ses",
  "resend",
  "microsoft365",
  "twilio",
  "vonage",
  "infobip",
  "meta",
  "smpp",
  "http",
  "simulator",
]);
export type AdapterName = z.infer<typeof adapterNameSchema>;

export const hostname = z
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
export const line = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^\P{Cc}*$/u, { error: "Control characters are not allowed" });

/** Another address that speaks a provider's contract, instead of its own: a proxy, or a counterpart in tests. */
export const baseUrl = z
  .url({ protocol: /^https?$/ })
  .max(2_048)
  .optional()
  .meta({ title: "Base URL", description: "Only when it is not the provider's own address" });
