import type { Provider } from "../../server/connections/schemas.ts";
import { Badge, Dot, type BadgeTone } from "../ui/badge.tsx";

const faces: Record<Provider["status"], { label: string; tone: BadgeTone; meaning: string }> = {
  operational: { label: "Operational", tone: "success", meaning: "Nearly every attempt is accepted" },
  degraded: { label: "Degraded", tone: "warning", meaning: "More attempts fail than should" },
  down: { label: "Down", tone: "danger", meaning: "Attempts do not get through" },
  idle: { label: "Idle", tone: "neutral", meaning: "Nothing was sent through it in 24 hours" },
  disabled: { label: "Switched off", tone: "outline", meaning: "Not used" },
};

export const providerStatuses = Object.keys(faces) as Provider["status"][];

export function statusLabel(status: Provider["status"]): string {
  return faces[status].label;
}

export function ProviderStatus({ status }: { status: Provider["status"] }) {
  const face = faces[status];
  return (
    <Badge tone={face.tone} title={face.meaning}>
      <Dot tone={face.tone} /> {face.label}
    </Badge>
  );
}
