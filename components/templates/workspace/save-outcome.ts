import { z } from "zod";
import { findingSchema, type Finding } from "../../../server/content-checks/schemas.ts";
import type { PreviewProblem } from "../../../server/templates/schemas.ts";
import { errorCode, errorMember, errorText, fieldProblems } from "../../trpc/error-text.ts";

/** Why a save or a check did not happen, as the page answers it. The text is kept in every case. */
export type Refusal =
  | { kind: "blocked"; findings: Finding[] }
  | { kind: "unavailable"; text: string }
  | { kind: "conflict"; text: string }
  | { kind: "exists"; text: string; existing: { id: string; name: string } }
  | { kind: "invalid"; text: string; problems: PreviewProblem[] }
  | { kind: "other"; text: string };

const findingsSchema = z.array(findingSchema);
const existingSchema = z.object({ id: z.string(), name: z.string() });
const problemsSchema = z.array(
  z.object({
    pointer: z.string(),
    code: z.string(),
    detail: z.string(),
    line: z.number().nullable(),
    column: z.number().nullable(),
  }),
);

/** What somebody else has saved since; null when nobody has, and a conflict is about something that only its text tells. */
export function fasterSave<Saved extends { latestVersion: number }>(
  now: Saved,
  expectedVersion: number | null,
): Saved | null {
  return now.latestVersion === expectedVersion ? null : now;
}

/** Sorts what the server answered. */
export function refusalOf(error: unknown): Refusal {
  const text = errorText(error);
  switch (errorCode(error)) {
    case "moderation_blocked": {
      const findings = findingsSchema.safeParse(errorMember(error, "findings"));
      return findings.success ? { kind: "blocked", findings: findings.data } : { kind: "other", text };
    }
    case "moderation_unavailable":
      return { kind: "unavailable", text };
    case "conflict":
      return { kind: "conflict", text };
    case "template_exists": {
      const existing = existingSchema.safeParse(errorMember(error, "existing"));
      return existing.success ? { kind: "exists", text, existing: existing.data } : { kind: "other", text };
    }
    case "invalid_template":
      return {
        kind: "invalid",
        text,
        problems: problemsSchema.catch([]).parse(errorMember(error, "problems")),
      };
    case "invalid_request": {
      const nowhere = { code: "invalid_request", line: null, column: null };
      return {
        kind: "invalid",
        text,
        problems: fieldProblems(error).map((each) => ({ ...each, ...nowhere })),
      };
    }
    default:
      return { kind: "other", text };
  }
}
