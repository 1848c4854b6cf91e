/** What a connection through SMPP is configured with. */
import { z } from "zod";
import { hostname, line } from "../schemas.ts";

/** C-octet strings hold ASCII; many message centres take more than the 16 and 9 octets of the specification. */
const ascii = (max: number) => line(max).regex(/^[\x20-\x7e]*$/, { error: "ASCII characters only" });

export const smppCredentialsSchema = z.strictObject({
  systemId: ascii(64).meta({ title: "System ID", where: "Your provider → SMPP account → system_id" }),
  password: ascii(64).meta({ title: "Password", where: "Your provider → SMPP account → password" }),
});
export type SmppCredentials = z.infer<typeof smppCredentialsSchema>;

const typeOfNumber = z.number().int().min(0).max(6).optional();
const numberingPlan = z.number().int().min(0).max(18).optional();

export const smppSettingsSchema = z.strictObject({
  host: hostname.meta({
    title: "Message centre",
    where: "Your provider → SMPP account → host or IP address",
  }),
  port: z.number().int().min(1).max(65_535).default(3_550).meta({ title: "Port" }),
  /** `none` is only dialled inside ranges that the operator opened, like plain http. */
  security: z
    .enum(["tls", "none"])
    .default("tls")
    .meta({ title: "Encryption", choices: { tls: "TLS", none: "None" } }),
  systemType: ascii(12).optional().meta({
    title: "System type",
    where: "Your provider → SMPP account → system_type",
    description: "Most providers want none",
  }),
  serviceType: ascii(5).optional().meta({ title: "Service type", description: "Most providers want none" }),
  bindAs: z
    .enum(["transceiver", "separate", "transmitter", "receiver"])
    .default("transceiver")
    .meta({
      title: "Bind as",
      description: "Separate sessions are for message centres that accept no transceiver",
      choices: {
        transceiver: "Transceiver: each session sends and receives",
        separate: "Transmitter and receiver in separate sessions",
        transmitter: "Transmitter: sends; no receipts, no incoming messages",
        receiver: "Receiver: only receives",
      },
    }),
  binds: z.number().int().min(1).max(10).default(1).meta({
    title: "Sessions",
    description: "Sessions that each worker process keeps open; with separate sessions as many of each kind",
  }),
  window: z.number().int().min(1).max(1_000).default(10).meta({
    title: "Window",
    description: "Messages per session that may wait for an answer at once; ask your provider",
  }),
  enquireLinkSeconds: z.number().int().min(5).max(600).default(30).meta({
    title: "Seconds between link checks",
  }),
  receiptIds: z
    .enum(["same", "submit_hex", "submit_decimal"])
    .default("same")
    .meta({
      title: "Message IDs in receipts",
      choices: {
        same: "As in the response",
        submit_hex: "Decimal in receipts, hexadecimal in the response",
        submit_decimal: "Hexadecimal in receipts, decimal in the response",
      },
    }),
  validityPeriod: z
    .enum(["absolute", "relative", "none"])
    .default("absolute")
    .meta({
      title: "Validity period",
      description: "How the message centre learns when a message expires",
      choices: { absolute: "Absolute time", relative: "Relative time", none: "Not sent" },
    }),
  sourceTon: typeOfNumber.meta({
    title: "Sender TON",
    description: "Only when the provider wants another than usual",
  }),
  sourceNpi: numberingPlan.meta({ title: "Sender NPI" }),
  destinationTon: typeOfNumber.meta({ title: "Recipient TON" }),
  destinationNpi: numberingPlan.meta({ title: "Recipient NPI" }),
});
export type SmppSettings = z.infer<typeof smppSettingsSchema>;

/** What a session is bound as: it sends, it receives, or both. */
export type BindRole = "transceiver" | "transmitter" | "receiver";

/** The kinds of sessions that a connection keeps. */
export function bindRoles({ bindAs }: Pick<SmppSettings, "bindAs">): readonly BindRole[] {
  return bindAs === "separate" ? ["transmitter", "receiver"] : [bindAs];
}
