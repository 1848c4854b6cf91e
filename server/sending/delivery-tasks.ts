import type { Db } from "../kernel/db.ts";
import type { NotificationClass } from "../tenancy/schemas.ts";
import { campaignSize, deliveryLanes, laneOf } from "./lanes.ts";
import { selectLargeRequests } from "./queries.ts";

/**
 * Says for each of these messages, whose jobs are added once more, which task delivers it: that of the lane in which it was accepted,
 * so that a campaign comes back among the campaigns.
 */
export async function deliveryTasks<
  Message extends { tenantId: string; requestId: string; class: NotificationClass; sandbox: boolean },
>(db: Db, messages: readonly Message[]): Promise<(message: Message) => string> {
  const large = await selectLargeRequests(db, messages, campaignSize);
  return (message) => deliveryLanes[laneOf(message, large.has(message.requestId) ? campaignSize : 1)].name;
}
