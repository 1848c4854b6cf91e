/** What moderation finds in a text. Safe in the browser. */
import { z } from "zod";

export const findingSchema = z.object({
  category: z.enum(["policy_violation", "abusive_language", "sensitive_data", "non_compliant_claim"]),
  severity: z.enum(["block", "warn"]).meta({ description: "block refuses the save" }),
  pointer: z.string().meta({ description: "Which text of the template, e.g. /body", example: "/body" }),
  start: z.int().min(0).meta({ description: "Where it starts, in UTF-16 code units" }),
  end: z.int().min(0).meta({ description: "Where it ends, exclusive" }),
  excerpt: z.string().meta({ description: "The place in the text; secrets and numbers shortened" }),
  explanation: z.string(),
  suggestion: z.string().nullable().meta({ description: "A text to put in its place" }),
});
export type Finding = z.infer<typeof findingSchema>;

export const moderationResultSchema = z.object({
  checkedBy: z.array(z.string()).meta({ description: "Which checks ran", example: ["deterministic"] }),
  findings: z.array(findingSchema),
});
export type ModerationResult = z.infer<typeof moderationResultSchema>;

/** Whether an AI service was among those that checked a version. */
export const seenByAi = (checkedBy: readonly string[]): boolean =>
  checkedBy.some((check) => check !== "deterministic");
