import { z } from "zod";
import { defineTask } from "../kernel/tasks.ts";

const delivery = z
  .object({ tenantId: z.uuid(), notificationIds: z.array(z.uuid()).min(1) })
  // Jobs from before they carried several messages.
  .or(
    z
      .object({ tenantId: z.uuid(), notificationId: z.uuid() })
      .transform(({ tenantId, notificationId }) => ({ tenantId, notificationIds: [notificationId] })),
  );

/**
 * Delivers notifications of one tenant, at most messages_per_job(); one task a lane, each lane with a runner of its
 * own.
 */
export const deliverOtp = defineTask("deliver_otp", delivery);
export const deliverTransactional = defineTask("deliver_transactional", delivery);
export const deliverBulk = defineTask("deliver_bulk", delivery);
export const deliverSandbox = defineTask("deliver_sandbox", delivery);

/** Posts one of the sandbox provider's callbacks for a message. */
export const postSimulatedCallback = defineTask(
  "post_simulated_callback",
  z.object({
    tenantId: z.uuid(),
    notificationId: z.uuid(),
    connectionId: z.uuid(),
    attempt: z.int(),
    /** Position in simulatedCallbacks(). */
    step: z.int(),
  }),
);

/** Fetches back what was held while organisations were suspended. */
export const resumeHeld = defineTask("resume_held", z.object({}).loose());

/** Adds jobs for messages that are due but have none. */
export const sweepNotifications = defineTask("sweep_notifications", z.object({}).loose());
