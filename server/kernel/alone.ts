import { logger } from "./log.ts";

/**
 * Work for one organisation among many: what cannot be done for it, which may be on its way out, is logged and tried again in the
 * next turn, and no other waits for it.
 * @param task what failed then, e.g. "budgets could not be judged"
 */
export async function alone(tenantId: string, task: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    logger().warn({ err: error, tenantId }, task);
  }
}
