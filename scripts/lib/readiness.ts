import { setTimeout as sleep } from "node:timers/promises";

/** Whether an address answers 200 within a few seconds. */
export async function answersOk(url: string, milliseconds: number): Promise<boolean> {
  const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(milliseconds) });
  await response.body?.cancel();
  return response.ok;
}

/** Waits until an address answers 200; false when it has not by the deadline. `signal` aborts the wait. */
export async function waitUntilOk(url: string, milliseconds: number, signal: AbortSignal): Promise<boolean> {
  const deadline = Date.now() + milliseconds;
  while (Date.now() < deadline && !signal.aborted) {
    try {
      const response = await fetch(url, {
        redirect: "manual",
        signal: AbortSignal.any([signal, AbortSignal.timeout(5_000)]),
      });
      await response.body?.cancel();
      if (response.ok) return true;
    } catch {
      // not listening yet
    }
    await sleep(150);
  }
  return false;
}
