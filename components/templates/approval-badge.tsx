import type { Template } from "../../server/templates/schemas.ts";
import { Badge, type BadgeTone } from "../ui/badge.tsx";
import { plural } from "../ui/format.ts";

export type ApprovalStatus = NonNullable<Template["whatsappApproval"]>["status"];

export const approvalLabels: Record<ApprovalStatus, { label: string; tone: BadgeTone }> = {
  unsubmitted: { label: "Not submitted", tone: "neutral" },
  pending: { label: "Pending", tone: "info" },
  approved: { label: "Approved", tone: "success" },
  rejected: { label: "Rejected", tone: "danger" },
  paused: { label: "Paused", tone: "warning" },
};

/** How far the approved template behind a WhatsApp text is. */
export function ApprovalBadge({ status }: { status: ApprovalStatus }) {
  return <Badge tone={approvalLabels[status].tone}>{approvalLabels[status].label}</Badge>;
}

/** In lists: only what keeps a WhatsApp text from being sent. */
export function RefusedApprovals({
  variants,
}: {
  variants: readonly { whatsappApproval: ApprovalStatus | null }[];
}) {
  const refused = variants.flatMap(({ whatsappApproval: status }) =>
    status === "rejected" || status === "paused" ? [status] : [],
  );
  const [only] = refused;
  if (only === undefined) return null;
  const rejected = refused.includes("rejected");
  const what = refused.length === 1 ? approvalLabels[only].label : `${String(refused.length)} refused`;
  return (
    <Badge
      tone={rejected ? "danger" : "warning"}
      title={`${plural(refused.length, "WhatsApp template")} rejected or paused by the provider`}
    >
      <span className="sr-only">WhatsApp approval: </span>
      {what}
    </Badge>
  );
}
