import type { GateResult, Stage } from "../../server/pipelines/schemas.ts";
import { formatNumber } from "../ui/format.ts";

export type GateName = GateResult["gate"];

export const gateTitles: Record<GateName, string> = {
  approvals: "Approval",
  moderation: "Moderation",
  whatsappApproval: "WhatsApp approval",
  whatsappCategory: "WhatsApp category",
  testSend: "Test send",
  humanReview: "Review of AI content",
};

/** What each gate of a stage asks for, in words; only those that are on. */
export function gateDemands(stage: Pick<Stage, "gates" | "kind">): { gate: GateName; demand: string }[] {
  const { approvals, moderation, whatsappApproval, whatsappCategory, testSend, humanReview } = stage.gates;
  const demands: { gate: GateName; demand: string }[] = [];
  if (approvals > 0) {
    demands.push({
      gate: "approvals",
      demand:
        approvals === 1
          ? "One other person must approve."
          : `${formatNumber(approvals)} other people must approve.`,
    });
  }
  if (moderation) {
    demands.push({
      gate: "moderation",
      demand:
        stage.kind === "production"
          ? "Every version must have passed moderation, including by the AI service unless your organisation allows less."
          : "Every version must have passed moderation.",
    });
  }
  if (whatsappApproval) {
    demands.push({
      gate: "whatsappApproval",
      demand: "WhatsApp templates must be approved by the provider.",
    });
  }
  if (whatsappCategory) {
    demands.push({
      gate: "whatsappCategory",
      demand: "WhatsApp must not categorise a template as marketing unless its type is marketing.",
    });
  }
  if (testSend) {
    demands.push({ gate: "testSend", demand: "Every version must have been sent as a test." });
  }
  if (humanReview) {
    demands.push({
      gate: "humanReview",
      demand: "A person must have reviewed every version that AI drafted or edited.",
    });
  }
  return demands;
}
