import { deliveryLanes } from "./lanes.ts";
import type { DeliveryLane } from "./lanes.ts";

/** The lane of each task that has slots of its own, as worker/main.ts divides them. */
export const laneOfTask: ReadonlyMap<string, DeliveryLane | "webhook"> = new Map([
  ...Object.entries(deliveryLanes).map(([lane, task]) => [task.name, lane as DeliveryLane] as const),
  ["post_recipient_action", "sandbox"],
  ["post_simulated_callback", "sandbox"],
  ["deliver_webhook", "webhook"],
]);

/** The lane of all other tasks. */
export const otherLane = "maintenance";
