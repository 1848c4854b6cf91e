import type { z } from "zod";
import type { FieldError } from "./errors.ts";
import { unknownName } from "./nearest-name.ts";

type Issue = z.core.$ZodIssue;
type RawIssue = z.core.$ZodRawIssue;
type UnknownMembers = Extract<Issue, { code: "unrecognized_keys" }>;

/** Unknown members of one object that are named. */
const maxUnknown = 20;

/** Issues of one alternative that are looked at. */
const maxIssues = 50;

/**
 * A union's own issue says little; where one alternative nearly fits, its issues say what to fix, with their whole
 * path.
 */
export function closestIssues(issue: Issue): Issue[] {
  if (issue.code !== "invalid_union" || issue.errors.length === 0) return [issue];
  const nearest = issue.errors.reduce((best, next) => (isNearer(next, best) ? next : best));
  if (depth(nearest) === 0) return [issue];
  return nearest.flatMap((inner) => closestIssues({ ...inner, path: [...issue.path, ...inner.path] }));
}

/** Whether less is wrong in it, or further inside. */
function isNearer(a: readonly Issue[], b: readonly Issue[]): boolean {
  return depth(a) === depth(b) ? complaints(a) < complaints(b) : depth(a) > depth(b);
}

/** An unknown member is as deep inside as a wrong one. */
function depth(issues: readonly Issue[]): number {
  return Math.max(
    0,
    ...issues
      .slice(0, maxIssues)
      .map((issue) => issue.path.length + (issue.code === "unrecognized_keys" ? 1 : 0)),
  );
}

function complaints(issues: readonly Issue[]): number {
  return issues.reduce((sum, issue) => sum + (issue.code === "unrecognized_keys" ? issue.keys.length : 1), 0);
}

/**
 * What to do about the unknown members of an object, a line each. For the error map of a parse: only there the schema is
 * at hand that says which members there are.
 */
export function describeUnknownMembers(issue: Extract<RawIssue, { code: "unrecognized_keys" }>): string {
  const shape = (issue.inst?._zod.def as { shape?: object } | undefined)?.shape ?? {};
  return issue.keys
    .slice(0, maxUnknown)
    .map((name) => unknownName(name, Object.keys(shape)))
    .join("\n");
}

/** An issue about unknown members as one error for each. */
export function unknownMembers(issue: UnknownMembers): { path: PropertyKey[]; detail: string }[] {
  const details = issue.message.split("\n");
  return issue.keys.slice(0, maxUnknown).map((name, index) => ({
    path: [...issue.path, name],
    // Where the parse had no error map of ours, its message names no member of its own.
    detail: details[index]?.startsWith('"') ? details[index] : unknownName(name, []),
  }));
}

function pointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** Zod's issues in the form of the error table. */
export function fieldErrors(error: z.core.$ZodError): FieldError[] {
  return error.issues.flatMap(closestIssues).flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? unknownMembers(issue).map(({ path, detail }) => ({
          pointer: pointer(path),
          code: "unknown_member",
          detail,
        }))
      : [{ pointer: pointer(issue.path), code: issue.code, detail: issue.message }],
  );
}
