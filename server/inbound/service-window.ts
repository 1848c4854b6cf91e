import type { Ctx } from "../kernel/ctx.ts";
import { selectLastHeard } from "./queries.ts";

/** How long after their last message a person may be written to freely on WhatsApp, ms. */
const windowMs = 24 * 3_600_000;

/**
 * Whether a person's customer service window at a connection's number is open at a moment: they wrote to it within the 24 hours
 * before. Known from the messages that were recorded; whom WhatsApp names by a user id is looked up by the name that the message
 * goes to.
 */
export async function isWindowOpen(
  ctx: Pick<Ctx, "db" | "tenantId">,
  { at, ...conversation }: { sandbox: boolean; address: string; connectionId: string; at: Date },
): Promise<boolean> {
  const last = await selectLastHeard(ctx, conversation);
  return last !== null && last <= at && at.getTime() - last.getTime() < windowMs;
}
