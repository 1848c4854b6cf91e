import type { Logger } from "../../server/kernel/log.ts";

/**
 * Runs all steps of a scheduled job, each whether or not those before it succeed. A failure is logged; after the last step the job
 * fails, so that it is retried.
 * @param steps by the name that a failure is logged under
 */
export async function runSteps(
  log: Logger,
  steps: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<void> {
  const failed: string[] = [];
  for (const [step, run] of Object.entries(steps)) {
    try {
      await run();
    } catch (error) {
      log.error({ err: error, step }, "a step of a scheduled job failed");
      failed.push(step);
    }
  }
  if (failed.length > 0) throw new Error(`steps failed: ${failed.join(", ")}`);
}
