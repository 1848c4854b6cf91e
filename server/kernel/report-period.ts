import { DomainError } from "./errors.ts";

/** How far back one report may reach, ms. */
const longest = 400 * 86_400_000;

/** Throws `invalid_request` for a period that no report has. */
export function refuseUnreported(from: Date, to: Date): void {
  if (from < to && to.getTime() - from.getTime() <= longest) return;
  const message = "The period must begin before it ends and may span at most 400 days.";
  const detail = "Before `to`, and at most 400 days before it";
  throw new DomainError("invalid_request", message, {
    errors: [{ pointer: "/from", code: "invalid_period", detail }],
  });
}
