import type { NotificationClass } from "../tenancy/schemas.ts";
import { classPolicies } from "./message-class.ts";
import { deliverBulk, deliverOtp, deliverSandbox, deliverTransactional } from "./tasks.ts";

/** The lanes that carry messages: each has slots of its own, and within it tenants take turns. */
export const deliveryLanes = {
  otp: deliverOtp,
  transactional: deliverTransactional,
  bulk: deliverBulk,
  sandbox: deliverSandbox,
} as const;

export type DeliveryLane = keyof typeof deliveryLanes;

/** The order in which messages resume when their connection works again; lower is sooner. */
export const resumeOrder: Record<DeliveryLane, number> = {
  otp: -10,
  transactional: 0,
  bulk: 10,
  sandbox: 20,
};

/** A request with so many recipients or more is a campaign, whatever its class. */
export const campaignSize = 1_000;

/**
 * The lane of a message. Messages of a sandbox do not delay real ones, and requests to very many recipients go with the
 * campaigns whatever their class: nobody needs a thousand one-time codes at once.
 */
export function laneOf(
  message: { class: NotificationClass; sandbox: boolean },
  recipients = 1,
): DeliveryLane {
  if (message.sandbox) return "sandbox";
  return recipients >= campaignSize ? "bulk" : classPolicies[message.class].lane;
}
