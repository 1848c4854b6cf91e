/** Drafting texts. Safe in the browser. */
import { z } from "zod";
import { channelSchema } from "../kernel/channel.ts";
import { templateLimits, variableDeclarationSchema } from "../templates/schemas.ts";
import { draftTones } from "./vocabulary.ts";

export const draftActions = ["draft", "rewrite", "shorten", "translate", "tone"] as const;

export const draftRequestSchema = z.object({
  /** Where it is for; the caller must be allowed to write templates there. */
  application: z.string().min(1).max(128),
  templateId: z.uuid().optional(),
  action: z.enum(draftActions),
  channel: channelSchema,
  /** E-mail: the format of the body. */
  format: z.enum(["html", "mjml"]).default("html"),
  /** What to write, or what to change. Needed to draft. */
  prompt: z.string().trim().max(4_000).default(""),
  tone: z.enum(draftTones).optional(),
  /** Language of the result, e.g. "de". */
  language: z
    .string()
    .regex(/^[a-z]{2}$/)
    .optional(),
  /** The text as it is; needed by all actions but draft. */
  subject: z.string().max(templateLimits.subjectCharacters).default(""),
  body: z.string().max(templateLimits.bodyBytes).default(""),
  variables: z.array(variableDeclarationSchema).max(templateLimits.variables).default([]),
});
export type DraftRequest = z.output<typeof draftRequestSchema>;

/** What the server reports while a text is being written, in this order. */
export type DraftEvent =
  | { type: "delta"; field: "subject" | "body"; text: string }
  /** The text so far broke the rules; it is written once more, from the start. */
  | { type: "restart"; because: string }
  | {
      type: "done";
      subject: string | null;
      body: string;
      /** SMS: segments with the examples. */
      segments: number | null;
      /** Who wrote it, for the version that is saved from it. */
      model: string;
      inputTokens: number;
      outputTokens: number;
      cost: { amount: string; currency: string } | null;
    }
  /** Written twice and still wrong: the reasons, and the text for people to look at. */
  | { type: "refused"; because: string; undeclared: string[]; subject: string | null; body: string };
