import type { Approval } from "../../server/sending/schemas.ts";
import { Badge, type BadgeTone } from "../ui/badge.tsx";

const faces: Record<Approval["state"], { label: string; tone: BadgeTone }> = {
  waiting: { label: "Awaiting approval", tone: "warning" },
  approved: { label: "Approved", tone: "success" },
  refused: { label: "Rejected", tone: "danger" },
  expired: { label: "Expired", tone: "neutral" },
  canceled: { label: "Canceled", tone: "neutral" },
};

export function ApprovalState({ state }: { state: Approval["state"] }) {
  return <Badge tone={faces[state].tone}>{faces[state].label}</Badge>;
}
