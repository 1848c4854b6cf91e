/** A template's channel-specific metadata. Safe in the browser. */
import { z } from "zod";

/** One line of printable characters: nothing that could end a header or a protocol line. */
const line = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^\P{Cc}*$/u, "Line breaks and control characters are not allowed");
const liquid = (max: number) => z.string().min(1).max(max);

export const smsMetadataSchema = z.strictObject({
  senderId: line(20)
    .regex(
      /^(\+[1-9]\d{4,14}|\d{3,8}|(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11})$/,
      "A phone number, a short code or up to 11 letters and digits",
    )
    .optional()
    .meta({ description: "Sender number or name; the connection's own without it", example: "ACME" }),
  encoding: z
    .enum(["auto", "GSM-7", "UCS-2"])
    .optional()
    .meta({ description: "How segments are counted; auto takes GSM-7 when every character fits" }),
});
export type SmsMetadata = z.infer<typeof smsMetadataSchema>;

export const emailFormats = ["html", "mjml"] as const;

export const emailMetadataSchema = z.strictObject({
  format: z.enum(emailFormats).optional().meta({
    description: "What the body is written in; html without it. MJML becomes HTML when it is saved",
  }),
  from: z
    .email()
    .max(254)
    .optional()
    .meta({ description: "Sender address; the connection's own without it" }),
  fromName: line(128).optional(),
  replyTo: z.email().max(254).optional(),
  preheader: liquid(500).optional().meta({ description: "What inboxes show after the subject (Liquid)" }),
  text: liquid(65_536)
    .optional()
    .meta({ description: "Plain-text part (Liquid); derived from the HTML without it" }),
  attachments: z
    .array(
      z.strictObject({
        url: line(2_000).meta({ description: "Where the file is fetched from when sending (Liquid)" }),
        filename: line(200).meta({ description: "Name that the recipient sees (Liquid)" }),
      }),
    )
    .max(10)
    .optional(),
});
export type EmailMetadata = z.infer<typeof emailMetadataSchema>;

/** The state of a WhatsApp template's approval at the provider. */
export const whatsappApprovalStatuses = ["unsubmitted", "pending", "approved", "rejected", "paused"] as const;
export type WhatsappApprovalStatus = (typeof whatsappApprovalStatuses)[number];

const whatsappButtonSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("quick_reply"), text: line(25), payload: line(256).optional() }),
  z.strictObject({ type: z.literal("url"), text: line(25), url: liquid(2_000) }),
  z.strictObject({ type: z.literal("phone"), text: line(25), phone: line(20) }),
]);

export const whatsappMetadataSchema = z.strictObject({
  templateName: line(512).optional().meta({
    description:
      "The approved template at the provider (name or content id); without it the text is a session message",
  }),
  category: z.enum(["authentication", "utility", "marketing"]).optional(),
  language: line(16)
    .optional()
    .meta({ description: "Language code of the approved template", example: "en_GB" }),
  parameters: z.array(liquid(1_024)).max(50).optional().meta({
    description:
      "Values of {{1}}, {{2}}, … of the approved template (Liquid); the declared variables in order without it",
  }),
  header: z
    .discriminatedUnion("type", [
      z.strictObject({ type: z.literal("text"), text: line(60) }),
      z.strictObject({ type: z.enum(["image", "video", "document"]), url: liquid(2_000) }),
    ])
    .optional(),
  footer: line(60).optional(),
  buttons: z.array(whatsappButtonSchema).max(10).optional(),
  approvalStatus: z.enum(whatsappApprovalStatuses).optional().meta({
    description:
      "Sets by hand what the provider said of the approved template, unless the provider itself has told; kept beside the versions, and answered as whatsappApproval",
  }),
  rejectionReason: line(1_000).optional(),
});
export type WhatsappMetadata = z.infer<typeof whatsappMetadataSchema>;

export const metadataSchemas = {
  sms: smsMetadataSchema,
  email: emailMetadataSchema,
  whatsapp: whatsappMetadataSchema,
} as const;

export type TemplateMetadata = SmsMetadata | EmailMetadata | WhatsappMetadata;
