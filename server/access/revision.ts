import { DomainError } from "../kernel/errors.ts";

/** Throws `revision_conflict` when a change is based on another state than the present one; without any it applies to whatever is there. */
export function refuseOutdated(what: string, basedOn: string | undefined, present: string): void {
  if (basedOn === undefined || basedOn === present) return;
  throw new DomainError(
    "revision_conflict",
    `Someone has changed ${what} in the meantime. Open it again and repeat your change.`,
  );
}
