import { PowerOff } from "lucide-react";
import type { BoardRow } from "../../server/pipelines/schemas.ts";
import { cn } from "../ui/cn.ts";

/** Which version a stage has; red when it is switched off, and in words where it has none. */
export function VersionChip({
  stage,
  stale,
}: {
  stage: BoardRow["stages"][number] | undefined;
  /** Another version than the stage before. */
  stale?: boolean;
}) {
  if (stage?.version == null) {
    return <span className="text-xs text-ink-faint">not live</span>;
  }
  return (
    <span
      title={
        stage.disabled ? `Switched off${stage.disabledReason ? `: ${stage.disabledReason}` : ""}` : undefined
      }
      className={cn(
        "inline-flex h-5 items-center gap-1 rounded-sm px-1.5 text-xs font-medium tabular",
        stage.disabled
          ? "bg-danger-soft text-danger-text"
          : stale
            ? "bg-warning-soft text-warning-text"
            : "bg-neutral-soft text-ink",
      )}
    >
      {stage.disabled ? <PowerOff className="size-3" aria-hidden /> : null}v{stage.version}
      {stage.disabled ? <span className="sr-only">switched off</span> : null}
    </span>
  );
}

/** "v3 → v4", or "new: v1" where nothing was live. */
export function VersionMove({
  from,
  to,
  className,
}: {
  from: number | null;
  to: number;
  className?: string;
}) {
  return (
    <span className={cn("inline-flex items-center gap-1.5 text-sm whitespace-nowrap tabular", className)}>
      {from === null ? (
        <span className="text-ink-muted">new</span>
      ) : (
        <span className="text-ink-muted">v{from}</span>
      )}
      <span aria-hidden className="text-ink-faint">
        →
      </span>
      <span className="sr-only">{from === null ? "here, becomes" : "becomes"}</span>
      <span className="font-medium">v{to}</span>
    </span>
  );
}
