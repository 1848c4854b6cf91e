import { ArrowRight } from "lucide-react";
import { cn } from "../ui/cn.ts";
import { statusLabel } from "./status.ts";

/** How far a message has come, in one line. Made of spans, so that it may stand in a link. */
export function MessageSteps({
  message,
  className,
}: {
  message: {
    events: readonly { sequence: number; type: string }[];
    provider: string | null;
    simulated: boolean;
  };
  className?: string;
}) {
  return (
    <span className={cn("flex flex-wrap items-center gap-1.5 text-xs text-ink-muted", className)}>
      {message.events.map((event, index) => (
        <span key={event.sequence} className="inline-flex items-center gap-1.5">
          {index > 0 ? <ArrowRight className="size-3 text-ink-faint" aria-hidden /> : null}
          {statusLabel(event.type, message.simulated)}
        </span>
      ))}
      {message.provider ? <span>through {message.provider}</span> : null}
    </span>
  );
}
