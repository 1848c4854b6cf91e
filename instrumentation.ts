/** Runs once when the web process starts, before its first request; see `instrumentation` in Next's documentation. */
export async function register(): Promise<void> {
  // Next replaces this when it builds; the other runtime must not even load what follows.
  // eslint-disable-next-line no-restricted-syntax
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { startWeb } = await import("./server/front-door/start-web.ts");
    await startWeb({ behindFrontDoor: false });
  }
}
