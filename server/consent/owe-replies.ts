import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { insertReplies } from "./queries.ts";
import type { NewReply } from "./queries.ts";
import type { Recorded } from "./record-words.ts";

/**
 * How much is answered automatically: enough for people, and an end for two machines that answer each other. An organisation's
 * replies are bounded too, so that nobody makes it write to the numbers of others without end.
 */
export const replyBounds = { perKindAndHour: 1, perDay: 5, tenantPerHour: 5_000 } as const;

/** A word that may be answered. */
export interface Answerable extends Omit<NewReply, "id" | "classes" | "applicationId" | "environmentId"> {
  applicationId: string | null;
  environmentId: string | null;
}

/**
 * Owes automatic replies to words, in the transaction that records them: of each address the last is answered. A no that was known
 * is not confirmed again; what belongs to no application is not answered, as nobody is there who could.
 */
export async function oweReplies(
  ctx: Ctx,
  tx: Tx,
  words: readonly Answerable[],
  recorded: readonly Recorded[],
): Promise<void> {
  if (words.length === 0) return;
  const outcomes = new Map(recorded.map((each) => [each.inboundMessageId, each]));
  const last = new Map<string, NewReply>();
  for (const { applicationId, environmentId, ...word } of words) {
    const key = JSON.stringify([word.sandbox, word.channel, word.address]);
    const outcome = outcomes.get(word.inboundMessageId);
    if (applicationId === null || environmentId === null) continue;
    if (outcome?.repeated) last.delete(key);
    else {
      const classes = outcome?.classes.flatMap((each) => each ?? []) ?? [];
      last.set(key, { ...word, applicationId, environmentId, id: newId(), classes });
    }
  }
  if (last.size === 0) return;
  await insertReplies(tx, ctx.tenantId, [...last.values()], { now: ctx.now(), ...replyBounds });
}
