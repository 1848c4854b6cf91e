import { setTimeout as sleep } from "node:timers/promises";

/** How often and how long a change waits for its locks, and the pause between, ms: in all some three minutes. */
export const lockPatience = { tries: 24, lockMs: 3_000, pauseMs: 5_000 };

/**
 * Carries out a change of tables. It needs them for itself, so it waits for whoever reads them, such as a backup, and behind it wait
 * all who would read and write: it waits briefly, gives way, and tries again.
 * @param change all or nothing; to be made with the given `lock_timeout`, ms
 */
export async function givingWay<Result>(
  change: (lockMs: number) => Promise<Result>,
  { tries, lockMs, pauseMs } = lockPatience,
): Promise<Result> {
  for (let left = tries; ; left--) {
    try {
      return await change(lockMs);
    } catch (error) {
      if (!isAboutLocks(error)) throw error;
      if (left <= 1) {
        throw new Error(
          "A table could not be changed, because something reads it all the time: a backup, or a transaction that nobody ends (pg_stat_activity). Migrate again when it has ended.",
          { cause: error },
        );
      }
      await sleep(pauseMs);
    }
  }
}

/** Whether a change waited for too long, or for somebody who waited for it. */
function isAboutLocks(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && (error.code === "55P03" || error.code === "40P01")) || isAboutLocks(error.cause);
}
