import { formatPercent } from "../ui/format.ts";

/** How far something has come, 0 to 1. */
export function ProgressBar({ share, label }: { share: number; label: string }) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      aria-valuetext={formatPercent(share, 0)}
      className="h-1.5 overflow-hidden rounded-full bg-neutral-soft"
    >
      <div
        className="h-full rounded-full bg-accent transition-[width] duration-300"
        style={{ width: `${String(share * 100)}%` }}
      />
    </div>
  );
}
