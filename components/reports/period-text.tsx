"use client";

import { useSyncExternalStore } from "react";
import { dateFormat } from "../ui/intl.ts";

const day = 86_400_000;
const never = () => () => undefined;

/** From when to when, in one text: days of UTC where the bounds are such, else the times on the viewer's clock. */
export function Period({ from, to }: { from: string | number; to: string | number }) {
  // The server knows neither clock nor language of the viewer.
  const known = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  if (!known) return null;
  const [start, end] = [new Date(from).getTime(), new Date(to).getTime()];
  if (start % day === 0 && end % day === 0)
    return `${dateFormat({ dateStyle: "medium", timeZone: "UTC" }).formatRange(start, end - 1)} (UTC)`;
  const options = {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
  } as const;
  return dateFormat({ ...options, timeZoneName: "short" }).formatRange(start, end);
}
