import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { Db } from "../kernel/db.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { openOwn, sealOwn } from "../kernel/secrets.ts";
import { enqueue } from "../kernel/tasks.ts";
import { actionCallback } from "../adapters/simulator/simulator-callbacks.ts";
import type { SimulatedAction } from "../adapters/simulator/simulator-callbacks.ts";
import { simulatedAttempt } from "../sending/simulated-attempt.ts";
import { postSimulated } from "../sending/simulated-callbacks.ts";
import type { z } from "zod";
import type { SandboxAction } from "./schemas.ts";
import { postRecipientAction } from "./tasks.ts";

const purpose = "sandbox actions";

/**
 * Acts as the recipient of a sandbox message: the worker posts the provider's genuine callback to the public callback
 * route, with the same consequences as in production. Throws `conflict` for a message outside the sandbox, or that no
 * provider accepted, `invalid_request` for what is impossible for such a message.
 */
export async function simulateRecipient(
  ctx: Ctx,
  input: SandboxAction & { id: string },
): Promise<{ notificationId: string; action: SandboxAction["action"] }> {
  const { id, ...wanted } = input;
  const { row, attempt, quickReplies } = await simulatedAttempt(ctx, id);
  const action = actionOf(wanted, quickReplies);
  const message = {
    channel: row.channel,
    to: row.recipient,
    notificationId: row.id,
    attempt: attempt.number,
  };
  const actionId = newId();
  if (!actionCallback(message, attempt.providerMessageId, action, actionId)) {
    throw refused("action", `That does not happen to a message of the channel ${row.channel}`);
  }
  await inTenant(ctx, async (tx) => {
    await enqueue(tx, postRecipientAction, {
      tenantId: ctx.tenantId,
      notificationId: row.id,
      connectionId: attempt.connectionId,
      attempt: attempt.number,
      actionId,
      sealed: sealOwn(purpose, actionId, JSON.stringify(action)).toString("base64"),
    });
    await recordAudit(ctx, tx, {
      action: "sandbox.recipient_simulated",
      targetType: "notification",
      targetId: row.id,
      unitId: row.unitId,
      environmentId: row.environmentId,
      data: { action: action.action },
    });
  });
  return { notificationId: row.id, action: action.action };
}

function actionOf(
  wanted: SandboxAction,
  quickReplies: readonly { text: string; payload: string }[],
): SimulatedAction {
  switch (wanted.action) {
    case "reply":
      return { action: "reply", text: wanted.text ?? "" };
    case "bounce":
      return { action: "bounce", permanent: wanted.permanent ?? true };
    case "tap": {
      const button = quickReplies[wanted.button ?? 0];
      if (!button) throw refused("button", "The message has no such quick-reply button");
      return { action: "tap", button };
    }
    default:
      return { action: wanted.action };
  }
}

function refused(member: string, detail: string): DomainError {
  return new DomainError("invalid_request", `${detail}.`, {
    errors: [{ pointer: `/${member}`, code: "not_possible", detail }],
  });
}

/** The worker's part: posts the callback. Throws when the route does not answer 2xx; the job is then retried. */
export async function deliverRecipientAction(
  deps: { db: Db; publicUrl: string },
  payload: z.output<typeof postRecipientAction.payload>,
): Promise<void> {
  const text = openOwn(purpose, payload.actionId, Buffer.from(payload.sealed, "base64"));
  const action = JSON.parse(text) as SimulatedAction;
  await postSimulated(deps, payload, (message, providerMessageId) =>
    actionCallback(message, providerMessageId, action, payload.actionId),
  );
}
