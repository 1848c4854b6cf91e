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

/** Who comes first of those who waited for a connection that works again; lower is sooner. */
export const wakeOrder: Record<DeliveryLane, number> = { otp: -10, transactional: 0, bulk: 10, sandbox: 20 };

/** From so many recipients on a request is a campaign, whatever its class says. */
const campaignSize = 1_000;

/**
 * The lane of a message. Experiments in a sandbox delay nobody's real messages, and a request to very many goes with the
 * campaigns; one-time codes stay codes.
 */
export function laneOf(
  message: { class: NotificationClass; sandbox: boolean },
  recipients = 1,
): DeliveryLane {
  if (message.sandbox) return "sandbox";
  const { lane } = classPolicies[message.class];
  return lane !== "otp" && recipients >= campaignSize ? "bulk" : lane;
}
