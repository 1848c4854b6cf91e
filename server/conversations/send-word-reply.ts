import { systemCtx } from "../access/system-ctx.ts";
import { readWordReply } from "../consent/word-reply.ts";
import type { Db } from "../kernel/db.ts";
import type { Logger } from "../kernel/log.ts";
import { replyTemplate } from "../templates/built-in-templates.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import type { NotificationClass } from "../tenancy/schemas.ts";
import { sendOwnMessage } from "./send-own-message.ts";

/**
 * Sends an automatic reply as an ordinary message over the connection that received what it answers: once, however often the job
 * runs, as the message has the reply's id. Only the confirmation of an opt-out passes the opt-out.
 */
export async function sendWordReply(
  deps: { db: Db; log: Logger },
  { tenantId, replyId }: { tenantId: string; replyId: string },
): Promise<void> {
  const ctx = systemCtx(deps.db, tenantId, "Automatic reply");
  const reply = await readWordReply(ctx, replyId);
  if (!reply || reply.channel === "email") return;
  const { applications } = await getCatalogue(ctx);
  const application = applications.find(({ id }) => id === reply.applicationId);
  if (!application) return;
  const { environmentId, channel, region, language } = reply;
  // Nobody waits for an answer that cannot be given.
  const refused = "an automatic reply was refused";
  await sendOwnMessage({ ...ctx, log: deps.log }, { id: replyId, key: "word-reply", refused }, application, {
    environmentId,
    notification: { pinned: replyTemplate(channel, reply.kind === "stop"), class: classOf(reply) },
    region: region ?? undefined,
    language: language ?? undefined,
    recipients: [{ channel, recipient: reply.address }],
    templateVariables: [{ text: reply.text, connection: reply.connectionId, from: reply.ownAddress }],
    expiresAt: reply.expiresAt.toISOString(),
  });
}

/** A yes is answered in a class that it covers: whoever wants offers alone gets no service message. */
function classOf({ kind, classes }: { kind: string; classes: readonly string[] }): NotificationClass {
  if ((kind !== "start" && kind !== "confirmed") || classes.length === 0 || classes.includes("service"))
    return "service";
  return classes.includes("transactional") ? "transactional" : "marketing";
}
