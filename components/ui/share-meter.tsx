import { cn } from "./cn.ts";
import { formatPercent } from "./format.ts";

/** How much of what is allowed is used: `share` is 1 when all of it is, and may be more. */
export function ShareMeter({
  share,
  label,
  className,
}: {
  share: number;
  label: string;
  className?: string;
}) {
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.min(100, Math.round(share * 100))}
      aria-valuetext={formatPercent(share)}
      className={cn("h-1.5 overflow-hidden rounded-full bg-neutral-soft", className)}
    >
      <div
        className={share >= 1 ? "h-full bg-danger" : share >= 0.8 ? "h-full bg-warning" : "h-full bg-accent"}
        style={{ width: `${Math.min(100, share * 100)}%` }}
      />
    </div>
  );
}
