import { tenantConnections } from "../connections/load-connection.ts";
import { anyMaySendAs, notAllowed } from "../connections/sender-ownership.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import type { VersionContent } from "../template-language/render.ts";
import { senderNamed } from "./sender-named.ts";

/**
 * Throws `sender_not_allowed` for a content that names a sender which no connection has for the unit; while there is no
 * connection for the channel, any can be named. The sender is checked again when a message is sent.
 */
export async function refuseForeignSender(ctx: Ctx, content: VersionContent, unitId: string): Promise<void> {
  const named = senderNamed(content);
  if (named === undefined) return;
  const connections = await tenantConnections(ctx);
  if (anyMaySendAs(connections.values(), { channel: content.channel, unitId }, named)) return;
  const pointer = content.channel === "email" ? "/metadata/from" : "/metadata/senderId";
  throw new DomainError("sender_not_allowed", notAllowed(named), {
    errors: [
      { pointer, code: "sender_not_allowed", detail: "No connection lists it for the application's unit" },
    ],
  });
}
