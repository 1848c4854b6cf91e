import type { GateResult, PromotionState as State } from "../../server/pipelines/schemas.ts";
import { Badge, Dot, type BadgeTone } from "../ui/badge.tsx";

export const promotionStateFaces: Record<State, { label: string; tone: BadgeTone; means: string }> = {
  pending: { label: "Awaiting approval", tone: "warning", means: "Someone still has to approve." },
  approved: { label: "Approved", tone: "info", means: "Approved but not live yet." },
  deployed: { label: "Deployed", tone: "success", means: "Live in its stage." },
  rejected: { label: "Rejected", tone: "danger", means: "Rejected. Nothing was changed." },
  withdrawn: {
    label: "Withdrawn",
    tone: "neutral",
    means: "Withdrawn by its requester. Nothing was changed.",
  },
  rolled_back: {
    label: "Rolled back",
    tone: "neutral",
    means: "Rolled back to the previous versions.",
  },
};

export function PromotionStateBadge({ state, className }: { state: State; className?: string }) {
  const face = promotionStateFaces[state];
  return (
    <Badge tone={face.tone} title={face.means} className={className}>
      <Dot tone={face.tone} />
      {face.label}
    </Badge>
  );
}

const gateFaces: Record<GateResult["state"], { label: string; tone: BadgeTone }> = {
  passed: { label: "Passed", tone: "success" },
  waiting: { label: "Waiting", tone: "warning" },
  failed: { label: "Failed", tone: "danger" },
};

export function GateStateBadge({ state }: { state: GateResult["state"] }) {
  const face = gateFaces[state];
  return (
    <Badge tone={face.tone}>
      <Dot tone={face.tone} />
      {face.label}
    </Badge>
  );
}
