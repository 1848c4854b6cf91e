import type { Provider } from "../../server/connections/schemas.ts";
import { Badge, Dot, type BadgeTone } from "../ui/badge.tsx";

const faces: Record<Provider["status"], { label: string; tone: BadgeTone; meaning: string }> = {
  operational: { label: "Operational", tone: "success", meaning: "Nearly all attempts are accepted" },
  degraded: { label: "Degraded", tone: "warning", meaning: "Too many attempts fail" },
  down: { label: "Unavailable", tone: "danger", meaning: "Attempts fail" },
  idle: { label: "No traffic", tone: "neutral", meaning: "No messages in the last 24 hours" },
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
