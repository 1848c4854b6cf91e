import { createHmac } from "node:crypto";
import type { Db } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { derivedKey } from "../kernel/secrets.ts";
import { countAttempt, uncountAttempt } from "./queries.ts";

/** What a try is counted for. Null: not at all. */
export interface AttemptKeys {
  /** What it comes from: a device that is known to the account, an address with an account, a session. */
  source: string;
  /** The account, from wherever: what many addresses share. */
  account: string | null;
  /** The address, whatever accounts it tries. */
  address: string | null;
  /** A network of many addresses, with the account: how often an address of it may be new. */
  site: string | null;
}

/** The table holds no tenant's data: keys say neither address nor account, and nobody without the master key makes one. */
function hidden(text: string): string {
  return createHmac("sha256", derivedKey("sign-in limits")).update(text).digest("base64url");
}

/** A try that was counted, until it is known whether it succeeds. */
export interface CountedAttempt {
  /** Failures of what it comes from, this try included. */
  failures: number;
  /** Failures of the account from all unknown places together. */
  accountFailures: number;
  succeeded(): Promise<void>;
}

/**
 * Counts one try before the password is checked, so that many at once cannot all slip through. Throws `sign_in_slowed`
 * with the seconds to wait, at most a minute; a try that is refused so is not counted. The first two of a source that was
 * not seen within an hour do not wait for what others do. `succeeded` takes the try back.
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
      `Too many tries. Try again in ${String(waitSeconds)} ${waitSeconds === 1 ? "second" : "seconds"}.`,
      { retryAfter: waitSeconds },
    );
  }
  return { ...counted, succeeded: () => uncountAttempt(db, hiddenKeys) };
}
