/**
 * Preloaded into the parts that the supervisor starts: when the supervisor is gone, even by SIGKILL, the channel to
 * it closes and the part ends as if it had been told to, instead of holding its port for ever.
 */
const PATIENCE_MS = 15_000;

// Processes that a part forks inherit this preload, but their channel is the part's own affair.
if (process.env.TIDINGS_SUPERVISOR === String(process.ppid)) {
  // The supervisor reads what a part prints. Without it nobody does, which must not end the part before its work.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  process.once("disconnect", () => {
    process.kill(process.pid, "SIGTERM");
    setTimeout(() => process.kill(process.pid, "SIGKILL"), PATIENCE_MS).unref();
  });
  process.channel?.unref();
}
