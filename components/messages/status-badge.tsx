import { Badge } from "../ui/badge.tsx";
import { cn } from "../ui/cn.ts";
import { simulatedMeaning, statusFace, statusLabel } from "./status.ts";

/**
 * `final` at "sent" means that this provider gives no receipts, so nothing will follow. `simulated`: the simulator carried it, and
 * nobody received anything.
 */
export function StatusBadge({
  status,
  final,
  simulated,
  className,
}: {
  status: string;
  final?: boolean | undefined;
  simulated?: boolean | undefined;
  className?: string;
}) {
  const face = statusFace(status);
  const Icon = face.icon;
  const meaning =
    status === "sent" && final ? "Accepted by the provider, which sends no receipts" : face.meaning;
  return (
    <Badge
      tone={simulated && face.tone === "success" ? "outline" : face.tone}
      title={simulated ? `${meaning}. ${simulatedMeaning}` : meaning}
      className={className}
    >
      <Icon
        className={cn(status === "sending" && "animate-spin [animation-duration:2s]")}
        strokeWidth={2.25}
        aria-hidden
      />
      {simulated && status !== "sent" && status !== "delivered" ? (
        <>
          {face.label} <span className="font-normal">· simulated</span>
        </>
      ) : (
        statusLabel(status, simulated === true)
      )}
    </Badge>
  );
}
