import { tenantConnections } from "../connections/load-connection.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import { readableNotification } from "./get-notification.ts";
import { selectAttempts } from "./notification-queries.ts";
import type { NotificationRow } from "./notification-queries.ts";
import { renderText } from "./render-message.ts";

/**
 * A message of the sandbox and the attempt that the simulated provider accepted, for callers that may send there. Throws
 * `not_found` for others, `conflict` for a message that is not of the sandbox or that the provider never took.
 */
export async function simulatedAttempt(
  ctx: Ctx,
  id: string,
): Promise<{
  row: NotificationRow;
  attempt: { number: number; connectionId: string; providerMessageId: string };
  /** The buttons that its recipient can tap. */
  quickReplies: { text: string; payload: string }[];
}> {
  const row = await readableNotification(ctx, id, "notifications:send");
  if (!row.sandbox) {
    throw new DomainError("conflict", "Only a message of the sandbox has a recipient that can be simulated.");
  }
  const [attempts, connections] = await Promise.all([selectAttempts(ctx, row.id), tenantConnections(ctx)]);
  const taken = attempts.findLast(
    (attempt) =>
      attempt.providerMessageId !== null &&
      connections.get(attempt.connectionId)?.adapter.name === "simulator",
  );
  if (taken?.providerMessageId == null) {
    throw new DomainError(
      "conflict",
      "The provider has not taken this message, so its recipient cannot have seen it.",
    );
  }
  const rendered = row.channel === "whatsapp" ? await renderText(ctx, row) : null;
  const buttons = (rendered?.ok ? rendered.rendered.buttons : undefined) ?? [];
  return {
    row,
    attempt: {
      number: taken.number,
      connectionId: taken.connectionId,
      providerMessageId: taken.providerMessageId,
    },
    quickReplies: buttons
      .filter((button) => button.type === "quick_reply")
      .map((button) => ({ text: button.text, payload: button.value ?? button.text })),
  };
}
