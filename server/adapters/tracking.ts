/** The notification and attempt as a text that goes out with a message and comes back with its statuses: at most 40 characters. */
import type { Receipt } from "./adapter.ts";

export function trackingOf(notificationId: string, attempt: number): string {
  return `${notificationId}:${attempt}`;
}

/** What trackingOf wrote; nothing for anything else. */
export function trackedBy(data: unknown): Pick<Receipt, "notificationId" | "attempt"> {
  if (typeof data !== "string") return {};
  const match = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):([1-9]\d{0,5})$/.exec(data);
  return match?.[1] ? { notificationId: match[1], attempt: Number(match[2]) } : {};
}
