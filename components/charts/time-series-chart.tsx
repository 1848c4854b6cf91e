"use client";

import { formatNumber } from "../ui/format.ts";
import type { SeriesDrawing } from "./draw-series.tsx";
import { prepareSeries, type Bucket, type Series } from "./prepare-series.ts";
import { useDrawing } from "./use-drawing.ts";
import { useNear } from "./use-near.ts";

/**
 * Values over time. `bars` stacks the series, `lines` draws each on its own with gaps where nothing was measured. Of more buckets
 * than a screen has room for several are drawn as one, and the chart says so. The previous period, when given, is a dashed line
 * under the same axis. A click reports the bounds of the bucket, and the series of the bar that was hit.
 */
export function TimeSeriesChart({
  label,
  buckets,
  series,
  formatAxis,
  height = 240,
  ...drawing
}: Omit<SeriesDrawing, "prepared" | "formatAxis" | "height"> & {
  label: string;
  buckets: readonly Bucket[];
  series: readonly Series[];
  formatAxis?: (value: number) => string;
  height?: number;
}) {
  const { kind, interval, formatValue } = drawing;
  const [frame, isNear] = useNear<HTMLElement>();
  const draw = useDrawing();
  const prepared = prepareSeries(buckets, series, interval, kind === "bars" ? "sum" : "highest");

  return (
    <figure role="group" aria-label={label} ref={frame}>
      <div style={{ height }} dir="ltr">
        {draw === "failed" ? (
          <p className="grid h-full place-items-center px-6 text-center text-sm text-ink-muted">
            The chart couldn't be loaded. Use the table, or reload the page.
          </p>
        ) : isNear && draw !== "loading" ? (
          draw({ ...drawing, prepared, height, formatAxis: formatAxis ?? formatValue })
        ) : null}
      </div>
      {prepared.each > 1 ? (
        <figcaption className="mt-1 text-xs text-ink-muted">
          {kind === "bars"
            ? `Each bar is the sum of ${formatNumber(prepared.each)}`
            : `Each point is the highest of ${formatNumber(prepared.each)}`}{" "}
          {interval}s; the table has them all.
        </figcaption>
      ) : null}
    </figure>
  );
}
