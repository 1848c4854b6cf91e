import type { Approval } from "../../server/sending/schemas.ts";
import { Badge, type BadgeTone } from "../ui/badge.tsx";

const faces: Record<Approval["state"], { label: string; tone: BadgeTone }> = {
  waiting: { label: "Waiting", tone: "warning" },
  approved: { label: "Approved", tone: "success" },
  refused: { label: "Refused", tone: "danger" },
  expired: { label: "Not decided in time", tone: "neutral" },
  canceled: { label: "Canceled", tone: "neutral" },
};

export function ApprovalState({ state }: { state: Approval["state"] }) {
  return <Badge tone={faces[state].tone}>{faces[state].label}</Badge>;
}
