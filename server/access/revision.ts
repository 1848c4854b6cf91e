import { DomainError } from "../kernel/errors.ts";

/** The error for a change that is based on another state than the present one. */
export function outdated(what: string, extra: Record<string, unknown> = {}): DomainError {
  return new DomainError(
    "revision_conflict",
    `Someone has changed ${what} in the meantime. Load the latest version and repeat your change.`,
    { extra },
  );
}

/** Throws `revision_conflict` when a change is based on another state than the present one; without any it applies to whatever is there. */
export function refuseOutdated<Revision extends string | number>(
  what: string,
  basedOn: Revision | undefined,
  present: Revision,
): void {
  if (basedOn !== undefined && basedOn !== present) throw outdated(what);
}
