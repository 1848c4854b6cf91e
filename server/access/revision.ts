import { createHash } from "node:crypto";
import { DomainError } from "../kernel/errors.ts";

/** Names a state that somebody reads, so that their change can say what it is based on. Made only of what they see. */
export function revisionOf(seen: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(seen)).digest("base64url");
}

/** Throws `revision_conflict` when a change is based on another state than the present one; without any it applies to whatever is there. */
export function refuseOutdated(what: string, basedOn: string | undefined, present: string): void {
  if (basedOn === undefined || basedOn === present) return;
  throw new DomainError(
    "revision_conflict",
    `Someone has changed ${what} in the meantime. Open it again and repeat your change.`,
  );
}
