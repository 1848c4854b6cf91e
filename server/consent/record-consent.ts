import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import type { NotificationClass } from "../tenancy/schemas.ts";
import type { EntrySource } from "./queries.ts";
import { writeEntries } from "./write-entries.ts";

/**
 * Adds a consent entry in the caller's transaction and tells webhook endpoints; the newest entry that covers a message counts. Nobody
 * says anything in the future: a clock that is fast must not make an entry outlive those that come after it.
 */
export async function recordConsent(
  ctx: Ctx,
  tx: Tx,
  input: {
    sandbox: boolean;
    channel: Channel;
    address: string;
    state: "opted_in" | "opted_out";
    source: EntrySource;
    region?: string;
    class?: NotificationClass;
    evidence?: Record<string, string>;
    at?: Date;
  },
): Promise<void> {
  const { sandbox, region = null, class: of = null, evidence = {}, at, ...said } = input;
  const now = ctx.now();
  const entry = { ...said, id: newId(), region, class: of, evidence, at: at && at < now ? at : now };
  await writeEntries(ctx, tx, sandbox, [entry]);
}
