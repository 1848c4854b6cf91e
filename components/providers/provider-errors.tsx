"use client";

import { RankedBars } from "../charts/ranked-bars.tsx";
import { humanize } from "../ui/format.ts";

export function ProviderErrors({
  errors,
  href,
}: {
  errors: readonly { code: string; count: number }[];
  href: (code: string) => string;
}) {
  if (errors.length === 0) return <p className="text-sm text-ink-muted">No problems.</p>;
  return (
    <RankedBars
      color="var(--chart-2)"
      groups={errors.map((error) => ({
        key: error.code,
        label: humanize(error.code),
        count: error.count,
        href: href(error.code),
      }))}
    />
  );
}
