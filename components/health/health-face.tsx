import type { ConnectionNow, Incident } from "../../server/health/schemas.ts";
import { Badge, Dot, type BadgeTone } from "../ui/badge.tsx";

type Face = { label: string; tone: BadgeTone; meaning: string };

const breakers: Record<ConnectionNow["breaker"], Face> = {
  closed: { label: "Works", tone: "success", meaning: "Messages go over it" },
  open: {
    label: "Unavailable",
    tone: "danger",
    meaning: "Messages go over other connections or wait until it is back",
  },
  half_open: {
    label: "On trial",
    tone: "warning",
    meaning: "It answers again and is tried with a few messages",
  },
};
const slow: Face = { label: "Slow", tone: "warning", meaning: "Too many of its calls take long" };
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
        ? { text: "answers again and is on trial", tone: "warning" }
        : { text: "did not answer when probed", tone: "neutral" };
    case "closed":
      return { text: "works again", tone: "success" };
    case "slow":
      return { text: "became slow", tone: "warning" };
    case "recovered":
      return { text: "is as quick as before", tone: "success" };
  }
}
