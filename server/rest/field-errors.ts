import type { z } from "zod";
import { closestIssues, describeUnknownMembers, unknownMembers } from "../kernel/closest-issues.ts";
import type { FieldError } from "../kernel/errors.ts";

/** How many errors one answer contains: enough to fix a request, and bounded. */
const MAX_ERRORS = 20;
const MAX_POINTER = 256;

type Issue = z.core.$ZodIssue;
type RawIssue = z.core.$ZodRawIssue;

const typeNames: Record<string, string> = {
  array: "an array",
  bigint: "an integer",
  boolean: "true or false",
  date: "a date",
  int: "an integer",
  null: "null",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "a string",
  undefined: "absent",
};

const formatNames: Record<string, string> = {
  date: "a date such as 2027-01-31",
  datetime: "an ISO 8601 date and time with a zone, e.g. 2027-01-31T08:00:00Z",
  email: "an e-mail address",
  url: "an absolute URL",
  uuid: "a UUID",
};

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeNames[typeof value] ?? typeof value;
}

const units: Record<string, string> = {
  array: "item",
  map: "member",
  object: "member",
  record: "member",
  set: "item",
  string: "character",
};

function sizeRule(origin: string, relation: string, amount: number | bigint): string {
  const unit = units[origin];
  if (unit === undefined) return `This must be ${relation} ${String(amount)}.`;
  return `This must have ${relation} ${String(amount)} ${unit}${Number(amount) === 1 ? "" : "s"}.`;
}

/**
 * What to change, for issues whose schema says nothing itself. Never contains the input: it may be long or secret.
 * Given to zod with each parse, so that a message in a schema takes precedence.
 */
export function describeIssue(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type": {
      if (issue.input === undefined) return "This is required.";
      const wanted = typeNames[issue.expected] ?? issue.expected;
      return Number.isNaN(issue.input)
        ? `This must be ${wanted}.`
        : `This must be ${wanted}, not ${typeOf(issue.input)}.`;
    }
    case "invalid_value":
      return `This must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.map(String).join(", ")}.`;
    case "too_small":
      return sizeRule(
        issue.origin,
        issue.exact ? "exactly" : issue.inclusive ? "at least" : "more than",
        issue.minimum,
      );
    case "too_big":
      return sizeRule(
        issue.origin,
        issue.exact ? "exactly" : issue.inclusive ? "at most" : "less than",
        issue.maximum,
      );
    case "invalid_format":
      return issue.format === "regex" && issue.pattern
        ? `This must match ${issue.pattern}.`
        : `This must be ${formatNames[issue.format] ?? `a valid ${issue.format}`}.`;
    case "not_multiple_of":
      return `This must be a multiple of ${String(issue.divisor)}.`;
    case "invalid_union":
      return "This has none of the allowed forms.";
    case "invalid_key":
      return "The name of this member is not allowed.";
    case "unrecognized_keys":
      return describeUnknownMembers(issue);
    default:
      return undefined;
  }
}

/** One parameter object for every parse, made once. */
export const parseOptions = { error: describeIssue, reportInput: false } as const;

function codeOf(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.message === "This is required." ? "required" : "invalid_type";
    case "unrecognized_keys":
      return "unknown_member";
    case "custom":
      return typeof issue.params?.code === "string" ? issue.params.code : "invalid_value";
    default:
      return issue.code;
  }
}

/** RFC 6901. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  let pointer = "";
  for (const part of path) {
    const text = String(part).slice(0, MAX_POINTER);
    pointer += `/${text.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (pointer.length > MAX_POINTER) return `${pointer.slice(0, MAX_POINTER)}…`.toWellFormed();
  }
  return pointer.toWellFormed();
}

/** A failed parse as error members. `root` leads the pointers of what is not in the body, e.g. "query". */
export function fieldErrors(error: z.core.$ZodError, root?: "query" | "headers"): FieldError[] {
  const errors: FieldError[] = [];
  for (const outer of error.issues.slice(0, MAX_ERRORS)) {
    for (const issue of closestIssues(outer)) {
      const found =
        issue.code === "unrecognized_keys"
          ? unknownMembers(issue)
          : [{ path: issue.path, detail: issue.message.slice(0, 500) }];
      for (const { path, detail } of found) {
        errors.push({ pointer: jsonPointer(root ? [root, ...path] : path), code: codeOf(issue), detail });
      }
    }
  }
  return errors.slice(0, MAX_ERRORS);
}
