import { DomainError } from "../kernel/errors.ts";
import type { ErrorCode } from "../kernel/errors.ts";

/** The kinds of RFC 7644, table 9, that are answered. */
export type ScimType =
  "invalidFilter" | "invalidPath" | "invalidSyntax" | "invalidValue" | "noTarget" | "tooMany" | "uniqueness";

const codes: Partial<Record<ScimType, ErrorCode>> = { uniqueness: "conflict" };

/** An error of the protocol; `detail` says what to change and repeats nothing secret. */
export function scimError(scimType: ScimType, detail: string): DomainError {
  return new DomainError(codes[scimType] ?? "invalid_request", detail, { extra: { scimType } });
}
