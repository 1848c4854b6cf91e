import type { DisabledReason, Webhook } from "../../server/webhooks/schemas.ts";
import { Badge, Dot, type BadgeTone } from "../ui/badge.tsx";

const reasons: Record<DisabledReason, string> = {
  manual: "Off",
  gone: "Off: HTTP 410 Gone",
  failing: "Off: failed for five days",
};

export function WebhookStatus({
  webhook,
}: {
  webhook: Pick<Webhook, "enabled" | "disabledReason" | "failingSince">;
}) {
  if (!webhook.enabled) {
    const reason = webhook.disabledReason ?? "manual";
    return <Badge tone={reason === "manual" ? "neutral" : "danger"}>{reasons[reason]}</Badge>;
  }
  if (webhook.failingSince) {
    return (
      <Badge tone="warning">
        <Dot tone="warning" /> Failing
      </Badge>
    );
  }
  return (
    <Badge tone="success">
      <Dot tone="success" /> Active
    </Badge>
  );
}

const deliveryStates: Record<string, { label: string; tone: BadgeTone }> = {
  pending: { label: "Pending", tone: "info" },
  delivered: { label: "Delivered", tone: "success" },
  failed: { label: "Failed", tone: "danger" },
  discarded: { label: "Missed", tone: "warning" },
};

export function DeliveryState({ state }: { state: string }) {
  const face = deliveryStates[state] ?? { label: state, tone: "neutral" as const };
  return (
    <Badge tone={face.tone}>
      <Dot tone={face.tone} pulse={state === "pending"} /> {face.label}
    </Badge>
  );
}
