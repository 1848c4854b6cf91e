import type { Db } from "../kernel/db.ts";
import type { NotificationClass } from "../tenancy/schemas.ts";
import { campaignSize, laneOf } from "./lanes.ts";
import type { DeliveryLane } from "./lanes.ts";
import { selectLargeRequests } from "./queries.ts";

/**
 * The lanes of messages whose jobs are added once more, in their order: those in which they were accepted, so that a campaign comes back
 * among the campaigns.
 */
export async function lanesOf(
  db: Db,
  messages: readonly { tenantId: string; requestId: string; class: NotificationClass; sandbox: boolean }[],
): Promise<DeliveryLane[]> {
  const large = await selectLargeRequests(db, messages, campaignSize);
  return messages.map((message) => laneOf(message, large.has(message.requestId) ? campaignSize : 1));
}
