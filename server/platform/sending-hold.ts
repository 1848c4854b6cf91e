import { ttlCache } from "../kernel/cache.ts";
import type { Db } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { selectHold } from "./queries.ts";
import type { HoldRow } from "./queries.ts";

export { deleteHold, insertHold, selectHold } from "./queries.ts";

/** Why nothing is sent at the moment, since when, and who or what said so. */
export type SendingHold = HoldRow;

// Of the whole installation, so that nobody's request waits for the database because of it.
const cache = ttlCache<{ hold: SendingHold | null }>({
  name: "sending hold",
  ttlMs: 2_000,
  max: 1,
  ahead: true,
});

/** The hold of sending, if there is one; at most two seconds old. */
export async function currentHold(db: Pick<Db, "pool">): Promise<SendingHold | null> {
  const found = await cache.get("hold", async () => ({ hold: (await selectHold(db.pool)) ?? null }));
  return found?.hold ?? null;
}

/** Throws `sending_held` while sending is on hold: what was accepted now would wait for nobody knows how long. */
export async function refuseHeld(db: Pick<Db, "pool">): Promise<void> {
  if (!(await currentHold(db))) return;
  throw new DomainError("sending_held", "Sending is on hold in this installation. Try again later.", {
    retryAfter: 60,
  });
}

/** After a change: this process looks again. */
export function forgetHold(): void {
  cache.forget();
}
