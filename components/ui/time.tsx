"use client";

import { useSyncExternalStore } from "react";
import { dateFormat, viewerZone } from "./intl.ts";
import { Tooltip } from "./tooltip.tsx";

type Moment = Date | string | number;

/** The browser's clock; the server, which lives longer than a page, asks its own each time. */
let now = Date.now();
const onServer = typeof window === "undefined";
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One clock for all relative times on the page, ticking only while one is shown. */
function subscribe(listener: () => void) {
  listeners.add(listener);
  now = Date.now();
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, 5000);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

/** In the language of the interface: a page in English does not say "vor 5 Min.". */
const relativeFormat = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "narrow" });

const units: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

function relative(moment: number, reference: number, ahead: boolean): string {
  const seconds = Math.round((moment - reference) / 1000);
  if (ahead && seconds < 10) return "in a moment";
  for (const [unit, size] of units) {
    if (Math.abs(seconds) >= size) return relativeFormat.format(Math.trunc(seconds / size), unit);
  }
  if (Math.abs(seconds) < 10) return "just now";
  return relativeFormat.format(seconds, "second");
}

/** Whether the viewer's calendar shows that year now. */
function isThisYear(moment: Moment): boolean {
  const year = dateFormat({ year: "numeric" });
  return year.format(new Date(moment)) === year.format(new Date());
}

/** In the viewer's zone: "20 Nov, 21:49:03"; of another year: "20 Nov 2025, 21:49:03". */
export function formatLocal(moment: Moment, withYear = !isThisYear(moment)): string {
  return dateFormat({
    day: "numeric",
    month: "short",
    ...(withYear ? { year: "numeric" } : {}),
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  }).format(new Date(moment));
}

export function formatUtc(moment: Moment): string {
  return new Date(moment).toISOString().replace("T", " ").replace("Z", " UTC");
}

function Details({ moment }: { moment: Moment }) {
  const zone = viewerZone();
  return (
    <span className="grid grid-cols-[auto_auto] gap-x-3 gap-y-0.5 tabular">
      <span className="text-ink-faint">{zone}</span>
      <span>{formatLocal(moment, true)}</span>
      <span className="text-ink-faint">UTC</span>
      <span>{formatUtc(moment)}</span>
    </span>
  );
}

/**
 * "3 min ago" that keeps counting; hover or focus shows the exact time here and in UTC. What is `ahead` is still to come,
 * also when it is due: never "just now" or "ago".
 */
export function RelativeTime({
  value,
  ahead = false,
  className,
}: {
  value: Moment;
  ahead?: boolean;
  className?: string;
}) {
  const current = useSyncExternalStore(
    subscribe,
    () => now,
    () => (onServer ? Date.now() : now),
  );
  const date = new Date(value);
  return (
    <Tooltip content={<Details moment={value} />}>
      <time dateTime={date.toISOString()} className={className} suppressHydrationWarning>
        {relative(date.getTime(), current, ahead)}
      </time>
    </Tooltip>
  );
}

/** The exact time in the viewer's zone, with the year of another year; hover or focus shows UTC. */
export function AbsoluteTime({
  value,
  withYear,
  className,
}: {
  value: Moment;
  /** Also with this year's. */
  withYear?: boolean | undefined;
  className?: string;
}) {
  return (
    <Tooltip content={<Details moment={value} />}>
      <time dateTime={new Date(value).toISOString()} className={className} suppressHydrationWarning>
        {formatLocal(value, withYear)}
      </time>
    </Tooltip>
  );
}
