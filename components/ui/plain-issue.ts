import type { z } from "zod";

const missing = "Fill in this field.";

/**
 * What zod says by itself, as a person would say it; undefined leaves zod's own words. A schema that has words for what is
 * wrong keeps them.
 */
export const plainIssue: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined || issue.input === null) return missing;
      return issue.expected === "int" ? "A whole number" : undefined;
    case "too_small":
      if (issue.input === "") return missing;
      return bound("At least", issue.minimum, issue.origin);
    case "too_big":
      return bound("At most", issue.maximum, issue.origin);
    default:
      return undefined;
  }
};

function bound(words: string, limit: number | bigint, origin: string): string | undefined {
  if (origin === "string") return `${words} ${String(limit)} characters`;
  return origin === "number" || origin === "int" ? `${words} ${String(limit)}` : undefined;
}
