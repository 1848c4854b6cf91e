import type { EditorFinding } from "./locate-finding.ts";

/** What people call the categories of findings. */
export const findingCategories: Record<EditorFinding["category"], string> = {
  policy_violation: "Policy violation",
  abusive_language: "Abusive language",
  sensitive_data: "Sensitive data",
  non_compliant_claim: "Non-compliant claim",
};
