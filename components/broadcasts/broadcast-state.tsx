import type { BroadcastSummary } from "../../server/sending/schemas.ts";
import { Badge, type BadgeTone } from "../ui/badge.tsx";

const faces: Record<BroadcastSummary["state"], { label: string; tone: BadgeTone }> = {
  listing: { label: "Listing recipients", tone: "info" },
  ready: { label: "Ready to send", tone: "warning" },
  scheduled: { label: "Scheduled", tone: "info" },
  sending: { label: "Sending", tone: "accent" },
  paused: { label: "Paused", tone: "warning" },
  canceling: { label: "Canceling", tone: "neutral" },
  finished: { label: "Completed", tone: "success" },
  canceled: { label: "Canceled", tone: "neutral" },
  failed: { label: "Failed", tone: "danger" },
};

export function BroadcastState({ state }: { state: BroadcastSummary["state"] }) {
  return <Badge tone={faces[state].tone}>{faces[state].label}</Badge>;
}

/** Whether it changes without anybody doing something. */
export function isMoving(state: BroadcastSummary["state"]): boolean {
  return state === "listing" || state === "sending" || state === "canceling" || state === "scheduled";
}
