import type { z } from "zod";
import type { FieldError } from "./errors.ts";

type Issue = z.core.$ZodIssue;

/** Issues of one alternative that are looked at. */
const maxIssues = 50;

/**
 * A union's own issue says little; where one alternative nearly fits, its issues say what to fix, with their whole
 * path.
 */
export function closestIssues(issue: Issue): Issue[] {
  if (issue.code !== "invalid_union" || issue.errors.length === 0) return [issue];
  const nearest = issue.errors.reduce((best, next) => (depth(next) > depth(best) ? next : best));
  if (depth(nearest) === 0) return [issue];
  return nearest.flatMap((inner) => closestIssues({ ...inner, path: [...issue.path, ...inner.path] }));
}

function depth(issues: readonly Issue[]): number {
  return Math.max(0, ...issues.slice(0, maxIssues).map((issue) => issue.path.length));
}

function pointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** Zod's issues in the form of the error table. */
export function fieldErrors(error: z.core.$ZodError): FieldError[] {
  return error.issues.flatMap(closestIssues).map((issue) => ({
    pointer: pointer(issue.path),
    code: issue.code,
    detail: issue.message,
  }));
}
