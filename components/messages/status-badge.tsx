import { Badge } from "../ui/badge.tsx";
import { cn } from "../ui/cn.ts";
import { statusFace } from "./status.ts";

/** `final` at "sent" means that this provider gives no receipts, so nothing will follow. */
export function StatusBadge({
  status,
  final,
  className,
}: {
  status: string;
  final?: boolean;
  className?: string;
}) {
  const face = statusFace(status);
  const Icon = face.icon;
  const meaning = status === "sent" && final ? "The provider took it; it gives no receipts" : face.meaning;
  return (
    <Badge tone={face.tone} title={meaning} className={className}>
      <Icon
        className={cn(status === "sending" && "animate-spin [animation-duration:2s]")}
        strokeWidth={2.25}
        aria-hidden
      />
      {face.label}
    </Badge>
  );
}
