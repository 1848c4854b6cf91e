/** How broadcasts move on. */
export const broadcastRules = {
  /** How often a broadcast is looked at while its messages are on their way, ms. */
  every: 250,
  /** ... while all of them wait for something, such as for the end of quiet hours, ms. */
  everyWhileParked: 30_000,
  /** For how long a process claims one; when it dies, another goes on after it, ms. */
  lease: 15_000,
  /** Broadcasts that a process works on at once. */
  atOnce: 2,
  /** Messages of a broadcast on their way at once: to begin with, and at most. So many still go when somebody pauses it. */
  window: { first: 100, most: 2_000 },
  /** Messages accepted in one transaction. */
  chunk: 500,
  /** Recipients that are left out, and messages that are canceled, in one transaction. */
  ended: { leftOut: 10_000, canceled: 500 },
  /** A draft that nobody has started by then is canceled, ms. */
  draftLives: 7 * 86_400_000,
  /** After a step that failed, ms. */
  pauseAfterFault: 5_000,
} as const;
