import { createHmac } from "node:crypto";
import type { Db } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { derivedKey } from "../kernel/secrets.ts";
import { countAttempt, uncountAttempt } from "./queries.ts";

/** What an attempt is counted for. Null: not counted. */
export interface AttemptKeys {
  /** Its source: a device known to the account, an address with an account, a session. */
  source: string;
  /** The account, whatever the source: many addresses share it. */
  account: string | null;
  /** The address, whichever accounts it tries. */
  address: string | null;
  /** A network of many addresses, with the account: how often one of its addresses may be new. */
  site: string | null;
}

/** The table holds no tenant's data: its keys are hashes, which nobody can compute without the master key. */
function hidden(text: string): string {
  return createHmac("sha256", derivedKey("sign-in limits")).update(text).digest("base64url");
}

/** A counted attempt, until it is known whether it succeeds. */
export interface CountedAttempt {
  /** Failures of its source, including this attempt. */
  failures: number;
  /** Failures of the account from all unknown sources together. */
  accountFailures: number;
  succeeded(): Promise<void>;
}

/**
 * Counts one attempt before the password is checked, so that concurrent ones cannot all slip through. Throws
 * `sign_in_slowed` with the seconds to wait, at most a minute; a refused attempt is not counted. The first two attempts
 * of a source that was not seen within an hour are not slowed down by others. `succeeded` takes the attempt back.
 */
export async function countSignIn(db: Db, keys: AttemptKeys): Promise<CountedAttempt> {
  const hiddenKeys = {
    source: hidden(`source\n${keys.source}`),
    account: keys.account === null ? null : hidden(`account\n${keys.account}`),
    address: keys.address === null ? null : hidden(`address\n${keys.address}`),
    site: keys.site === null ? null : hidden(`site\n${keys.site}`),
  };
  const { waitSeconds, ...counted } = await countAttempt(db, hiddenKeys);
  if (waitSeconds > 0) {
    throw new DomainError(
      "sign_in_slowed",
      `Too many attempts. Try again in ${String(waitSeconds)} ${waitSeconds === 1 ? "second" : "seconds"}.`,
      { retryAfter: waitSeconds },
    );
  }
  return { ...counted, succeeded: () => uncountAttempt(db, hiddenKeys) };
}
