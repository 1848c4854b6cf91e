import type { Provider } from "../../server/connections/schemas.ts";
import { recovering, slow } from "../health/health-face.tsx";
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

/** Of a degraded connection Health knows more. */
function faceOf({ status, health }: Pick<Provider, "status" | "health">) {
  if (status !== "degraded") return faces[status];
  if (health?.breaker === "half_open") return recovering;
  return health?.slow ? slow : faces.degraded;
}

export function ProviderStatus({ of }: { of: Pick<Provider, "status" | "health"> }) {
  const face = faceOf(of);
  return (
    <Badge tone={face.tone} title={face.meaning}>
      <Dot tone={face.tone} /> {face.label}
    </Badge>
  );
}
