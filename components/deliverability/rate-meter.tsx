import { formatPercent } from "../ui/format.ts";

/** A rate with the lines at which people are warned and marketing is held. */
export function RateMeter({
  label,
  rate,
  digits,
  thresholds,
  of,
}: {
  label: string;
  /** Null: of nothing. */
  rate: number | null;
  digits: number;
  thresholds: { warn: number; hold: number };
  /** What the rate is of; null: of nothing. */
  of: string | null;
}) {
  const { warn, hold } = thresholds;
  const value = rate ?? 0;
  // The line of the hold stays at two thirds, unless the rate is far beyond it.
  const most = Math.max(hold * 1.5, value);
  const at = (share: number) => `${String((share / most) * 100)}%`;
  const color = value >= hold ? "bg-danger" : value >= warn ? "bg-warning" : "bg-accent";
  const limits = `Warning from ${formatPercent(warn, digits)}, held from ${formatPercent(hold, digits)}`;
  return (
    <div>
      <div className="flex items-baseline justify-between gap-3 text-sm">
        <span className="text-ink-muted">{label}</span>
        <span className="tabular font-medium">{rate === null ? "–" : formatPercent(rate, digits)}</span>
      </div>
      <div
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={most * 100}
        aria-valuenow={value * 100}
        aria-valuetext={rate === null ? "No e-mail" : `${formatPercent(rate, digits)}. ${limits}`}
        title={limits}
        className="relative mt-1.5 h-1.5 rounded-full bg-neutral-soft"
      >
        <div className={`h-full rounded-full ${color}`} style={{ width: at(value) }} />
        <Line at={at(warn)} className="bg-warning" />
        <Line at={at(hold)} className="bg-danger" />
      </div>
      <div className="relative mt-1.5 h-4 text-2xs text-ink-muted" aria-hidden>
        <span className="absolute -translate-x-1/2 tabular" style={{ left: at(warn) }}>
          {formatPercent(warn, digits)}
        </span>
        <span className="absolute -translate-x-1/2 tabular" style={{ left: at(hold) }}>
          {formatPercent(hold, digits)}
        </span>
      </div>
      {of === null ? null : <p className="text-xs text-ink-muted">{of}</p>}
    </div>
  );
}

function Line({ at, className }: { at: string; className: string }) {
  return <span aria-hidden className={`absolute -top-1 h-3.5 w-px ${className}`} style={{ left: at }} />;
}
