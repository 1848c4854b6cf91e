import { createHmac } from "node:crypto";
import type { TidingsEvent } from "../index.ts";
import { pause } from "../transport.ts";

/** An event as the service posts it to a webhook endpoint: the body, and the headers that sign it. */
export function signed(
  event: Pick<TidingsEvent, "id" | "event" | "timestamp"> & { data: unknown },
  secret: string,
  now = new Date(),
): { body: string; headers: Record<string, string> } {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const hmac = (text: string) => createHmac("sha256", key).update(text);
  const { id, event: name, timestamp, data } = event;
  const unsigned = JSON.stringify({ event: name, timestamp, data });
  const body = `${unsigned.slice(0, -1)},"signature":"sha256=${hmac(unsigned).digest("hex")}"}`;
  const seconds = String(Math.floor(now.getTime() / 1_000));
  return {
    body,
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": seconds,
      "webhook-signature": `v1,${hmac(`${id}.${seconds}.${body}`).digest("base64")}`,
    },
  };
}

/** Waits between attempts: while a program restarts, its events should not be lost. */
const waits = [0, 500, 1_000, 2_000];

/** Posts an event, up to four times; `status` is the last answer's, null without one. */
export async function forward(
  target: string,
  secret: string,
  event: TidingsEvent,
  signal: AbortSignal,
): Promise<{ status: number | null; problem?: string }> {
  let outcome: { status: number | null; problem?: string } = { status: null };
  for (const wait of waits) {
    await pause(wait, signal);
    const { body, headers } = signed(event, secret);
    try {
      const response = await fetch(target, {
        method: "POST",
        headers,
        body,
        redirect: "manual",
        signal: AbortSignal.any([signal, AbortSignal.timeout(15_000)]),
      });
      await response.body?.cancel();
      outcome = { status: response.status };
      if (response.ok) return outcome;
    } catch (error) {
      signal.throwIfAborted();
      const { cause, message } = error as Error;
      outcome = { status: null, problem: cause instanceof Error ? cause.message : message };
    }
  }
  return outcome;
}
