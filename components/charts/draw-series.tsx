"use client";

import {
  Area,
  Bar,
  CartesianGrid,
  ComposedChart,
  Line,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
  type DotItemDotProps,
} from "recharts";
import { dayTicks, formatBucket, formatTick, type Step } from "./period.ts";
import type { DrawnPoint, prepareSeries, Series } from "./prepare-series.ts";

/** A line needs two points: a measurement between two gaps is drawn as a dot, or it would not be seen. */
function lonelyDot(points: readonly DrawnPoint[], key: string) {
  return function Dot({ cx, cy, index, stroke }: DotItemDotProps) {
    const measured = (at: number) => typeof points[at]?.[key] === "number";
    if (!measured(index) || measured(index - 1) || measured(index + 1)) return <g key={`${key}${index}`} />;
    return <circle key={`${key}${index}`} cx={cx} cy={cy} r={3} fill={stroke} />;
  };
}

const axisText = { fill: "var(--ink-faint)", fontSize: 11 };

const day = 86_400_000;

export interface SeriesDrawing {
  prepared: ReturnType<typeof prepareSeries>;
  kind: "bars" | "lines";
  interval: Step;
  formatValue: (value: number) => string;
  formatAxis: (value: number) => string;
  height: number;
  /** Where the axis ends, for what cannot be more. */
  most?: number;
  showTotal?: boolean;
  previousLabel?: string;
  onPick?: (from: number, to: number, series?: string) => void;
}

/** Draws the lines or bars of a chart: what is costly to load and to draw. */
export function drawSeries({
  prepared,
  kind,
  interval,
  formatValue,
  formatAxis,
  height,
  most,
  showTotal,
  previousLabel,
  onPick,
}: SeriesDrawing) {
  const [first, last] = [prepared.points[0], prepared.points.at(-1)];
  const span = first && last ? last.end - first.start : 0;
  const ticks =
    interval === "hour" && span > 1.5 * day ? dayTicks(prepared.points.map(({ start }) => start)) : undefined;
  const hasPrevious =
    previousLabel !== undefined && prepared.points.some((point) => (point.previous ?? 0) !== 0);

  return (
    <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 600, height }}>
      <ComposedChart
        data={prepared.points}
        margin={{ top: 6, right: 2, bottom: 0, left: 0 }}
        barCategoryGap={prepared.points.length > 40 ? 1 : "18%"}
        onClick={(state) => {
          const start = typeof state.activeLabel === "number" ? state.activeLabel : Number(state.activeLabel);
          const point = prepared.points.find((each) => each.start === start);
          if (onPick && point) onPick(point.start, point.end);
        }}
        style={onPick ? { cursor: "pointer" } : undefined}
      >
        <CartesianGrid vertical={false} stroke="var(--chart-grid)" />
        <XAxis
          dataKey="start"
          tickFormatter={(value: number) => formatTick(value, interval, span)}
          ticks={ticks}
          tick={axisText}
          tickLine={false}
          axisLine={{ stroke: "var(--chart-grid)" }}
          minTickGap={36}
          padding={kind === "lines" ? { left: 6, right: 6 } : undefined}
          height={22}
        />
        <YAxis
          tickFormatter={(value: number) => formatAxis(value)}
          tick={axisText}
          tickLine={false}
          axisLine={false}
          width={52}
          tickCount={most === undefined ? 4 : 5}
          domain={most === undefined ? undefined : [0, most]}
          allowDecimals={false}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={kind === "bars" ? { fill: "var(--hover)" } : { stroke: "var(--line-strong)" }}
          content={({ active, payload }) => {
            const point = payload[0]?.payload as DrawnPoint | undefined;
            if (!active || !point) return null;
            return (
              <ChartTooltip
                point={point}
                series={prepared.series}
                interval={interval}
                formatValue={formatValue}
                showTotal={showTotal}
                previousLabel={hasPrevious ? previousLabel : undefined}
              />
            );
          }}
        />
        {prepared.series.map((each, index) =>
          kind === "bars" ? (
            <Bar
              key={each.key}
              dataKey={each.key}
              stackId="all"
              fill={each.color}
              isAnimationActive={false}
              maxBarSize={28}
              onClick={
                onPick &&
                (({ payload }: { payload?: DrawnPoint }, _index, event) => {
                  event.stopPropagation();
                  if (payload) onPick(payload.start, payload.end, each.key);
                })
              }
              radius={index === prepared.series.length - 1 ? [2, 2, 0, 0] : 0}
            />
          ) : (
            <Line
              key={each.key}
              dataKey={each.key}
              stroke={each.color}
              strokeWidth={1.75}
              dot={lonelyDot(prepared.points, each.key)}
              type="monotone"
              isAnimationActive={false}
              connectNulls={false}
            />
          ),
        )}
        {kind === "lines" && prepared.series[0] ? (
          <Area
            dataKey={prepared.series[0].key}
            fill={prepared.series[0].color}
            fillOpacity={0.08}
            stroke="none"
            type="monotone"
            isAnimationActive={false}
            tooltipType="none"
          />
        ) : null}
        {hasPrevious ? (
          <Line
            dataKey="previous"
            stroke="var(--chart-previous)"
            strokeWidth={1.5}
            strokeDasharray="4 3"
            dot={false}
            type="monotone"
            isAnimationActive={false}
          />
        ) : null}
      </ComposedChart>
    </ResponsiveContainer>
  );
}

function ChartTooltip({
  point,
  series,
  interval,
  formatValue,
  showTotal,
  previousLabel,
}: {
  point: DrawnPoint;
  series: readonly Series[];
  interval: Step;
  formatValue: (value: number) => string;
  showTotal?: boolean;
  previousLabel?: string;
}) {
  const measured = series.filter((each) => point[each.key] !== null && point[each.key] !== undefined);
  const total = measured.reduce((sum, each) => sum + (point[each.key] ?? 0), 0);
  return (
    <div className="max-w-80 min-w-44 rounded-md border border-line bg-raised px-3 py-2 text-xs shadow-md">
      <p className="mb-1.5 font-medium">{formatBucket(point.start, point.end, interval)}</p>
      <ul className="grid grid-cols-1 gap-1">
        {measured.map((each) => (
          <li key={each.key} className="flex items-center gap-2">
            <svg width="8" height="8" className="shrink-0" aria-hidden>
              <rect width="8" height="8" rx="2" fill={each.color} />
            </svg>
            <bdi className="min-w-0 flex-1 truncate text-ink-muted">{each.label}</bdi>
            <span className="font-medium tabular">{formatValue(point[each.key] ?? 0)}</span>
          </li>
        ))}
        {measured.length === 0 ? <li className="text-ink-muted">No data</li> : null}
        {showTotal && measured.length > 1 ? (
          <li className="mt-0.5 flex justify-between border-t border-line pt-1">
            <span className="text-ink-muted">Total</span>
            <span className="font-medium tabular">{formatValue(total)}</span>
          </li>
        ) : null}
        {previousLabel && point.previous !== null ? (
          <li className="flex justify-between gap-3 text-ink-muted">
            <span>{previousLabel}</span>
            <span className="tabular">{formatValue(point.previous)}</span>
          </li>
        ) : null}
      </ul>
    </div>
  );
}
