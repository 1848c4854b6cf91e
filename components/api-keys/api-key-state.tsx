import type { ApiKeySummary } from "../../server/access/schemas.ts";
import { Badge, type BadgeTone } from "../ui/badge.tsx";

const faces: Record<ApiKeySummary["state"], { label: string; tone: BadgeTone }> = {
  active: { label: "Active", tone: "success" },
  expiring: { label: "Expires soon", tone: "warning" },
  expired: { label: "Expired", tone: "neutral" },
  revoked: { label: "Revoked", tone: "neutral" },
  paused: { label: "Paused", tone: "warning" },
};

export function ApiKeyState({ state }: { state: ApiKeySummary["state"] }) {
  return <Badge tone={faces[state].tone}>{faces[state].label}</Badge>;
}
