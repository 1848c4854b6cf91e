"use client";

import { useState } from "react";
import { cn } from "../../ui/cn.ts";

/** Between two columns: drag it, or move it with the arrow keys. `width` is that of the column it sizes, in pixels. */
export function ColumnHandle({
  label,
  width,
  min,
  max,
  side,
  onChange,
}: {
  label: string;
  width: number;
  min: number;
  max: number;
  /** On which side of the handle the column is. */
  side: "left" | "right";
  onChange: (width: number) => void;
}) {
  const [from, setFrom] = useState<{ x: number; width: number } | null>(null);
  const sign = side === "left" ? 1 : -1;
  const set = (next: number) => onChange(Math.round(Math.min(max, Math.max(min, next))));
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      className={cn(
        "group relative w-4 shrink-0 cursor-col-resize touch-none rounded-sm",
        "after:absolute after:inset-y-0 after:left-1/2 after:w-px after:-translate-x-1/2 after:bg-transparent after:transition-colors hover:after:bg-line-strong",
        from && "after:bg-accent",
      )}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setFrom({ x: event.clientX, width });
      }}
      onPointerMove={(event) => {
        if (from) set(from.width + sign * (event.clientX - from.x));
      }}
      onPointerUp={() => setFrom(null)}
      onPointerCancel={() => setFrom(null)}
      onKeyDown={(event) => {
        const step = { ArrowLeft: -16, ArrowRight: 16 }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        set(width + sign * step);
      }}
    />
  );
}
