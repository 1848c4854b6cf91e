/** The mark: a message going out as a wave. */
export function LogoMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" className={className} fill="none" aria-hidden>
      <rect width="24" height="24" rx="6.5" className="fill-accent" />
      <path
        d="M4.5 9.2c2.5 0 2.5-2 5-2s2.5 2 5 2 2.5-2 5-2"
        className="stroke-accent-ink"
        strokeWidth="2"
        strokeLinecap="round"
      />
      <path
        d="M4.5 13.6c2.5 0 2.5-2 5-2s2.5 2 5 2 2.5-2 5-2"
        className="stroke-accent-ink"
        strokeWidth="2"
        strokeLinecap="round"
        opacity="0.75"
      />
      <path
        d="M4.5 18c2.5 0 2.5-2 5-2s2.5 2 5 2"
        className="stroke-accent-ink"
        strokeWidth="2"
        strokeLinecap="round"
        opacity="0.5"
      />
    </svg>
  );
}

export function Wordmark() {
  return (
    <span className="inline-flex items-center gap-2 text-lg font-semibold tracking-tight">
      <LogoMark className="size-6" />
      Tidings
    </span>
  );
}
