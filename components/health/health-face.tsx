import type { ConnectionNow, Incident } from "../../server/health/schemas.ts";
import { Badge, Dot, type BadgeTone } from "../ui/badge.tsx";

type Face = { label: string; tone: BadgeTone; meaning: string };

export const recovering: Face = {
  label: "Recovering",
  tone: "warning",
  meaning: "Responding again; testing with a few messages",
};
export const slow: Face = { label: "Slow", tone: "warning", meaning: "Too many slow calls" };
const breakers: Record<ConnectionNow["breaker"], Face> = {
  closed: { label: "Operational", tone: "success", meaning: "Used for messages" },
  open: {
    label: "Unavailable",
    tone: "danger",
    meaning: "Messages use other connections or wait",
  },
  half_open: recovering,
};
const off: Face = { label: "Switched off", tone: "outline", meaning: "Not used" };

export function healthFace(connection: Pick<ConnectionNow, "breaker" | "slowSince" | "enabled">): Face {
  if (!connection.enabled) return off;
  return connection.breaker === "closed" && connection.slowSince !== null
    ? slow
    : breakers[connection.breaker];
}

export function HealthBadge({
  connection,
}: {
  connection: Pick<ConnectionNow, "breaker" | "slowSince" | "enabled">;
}) {
  const face = healthFace(connection);
  return (
    <Badge tone={face.tone} title={face.meaning}>
      <Dot tone={face.tone} /> {face.label}
    </Badge>
  );
}

/** What an incident's line says, without the connection's name. */
export function incidentFace(incident: Pick<Incident, "kind" | "code">): { text: string; tone: BadgeTone } {
  switch (incident.kind) {
    case "opened":
      return { text: "became unavailable", tone: "danger" };
    case "probed":
      return incident.code === "passed"
        ? { text: "is recovering: testing with a few messages", tone: "warning" }
        : { text: "did not respond to a probe", tone: "neutral" };
    case "closed":
      return { text: "recovered", tone: "success" };
    case "slow":
      return { text: "became slow", tone: "warning" };
    case "recovered":
      return { text: "is back to normal speed", tone: "success" };
  }
}
