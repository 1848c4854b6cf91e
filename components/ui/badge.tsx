import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps } from "react";
import { cn } from "./cn.ts";

const badgeStyle = cva(
  "inline-flex h-5 max-w-full items-center gap-1.5 rounded-sm px-1.5 text-2xs font-medium whitespace-nowrap [&_svg]:size-3 [&_svg]:shrink-0",
  {
    variants: {
      tone: {
        neutral: "bg-neutral-soft text-ink-muted",
        accent: "bg-accent-soft text-accent-text",
        success: "bg-success-soft text-success-text",
        danger: "bg-danger-soft text-danger-text",
        warning: "bg-warning-soft text-warning-text",
        info: "bg-info-soft text-info-text",
        outline: "border border-line-strong text-ink-muted",
      },
    },
    defaultVariants: { tone: "neutral" },
  },
);

export type BadgeTone = NonNullable<VariantProps<typeof badgeStyle>["tone"]>;

export function Badge({
  className,
  tone,
  ...props
}: ComponentProps<"span"> & VariantProps<typeof badgeStyle>) {
  return <span className={cn(badgeStyle({ tone }), className)} {...props} />;
}

const dotTone: Record<BadgeTone, string> = {
  neutral: "bg-neutral",
  accent: "bg-accent",
  success: "bg-success",
  danger: "bg-danger",
  warning: "bg-warning",
  info: "bg-info",
  outline: "bg-line-strong",
};

/** A dot that repeats what the text beside it says; never the only carrier of a meaning. */
export function Dot({
  tone = "neutral",
  pulse,
  className,
}: {
  tone?: BadgeTone;
  pulse?: boolean;
  className?: string;
}) {
  return (
    <span
      aria-hidden
      className={cn("size-1.5 shrink-0 rounded-full", dotTone[tone], pulse && "animate-pulse", className)}
    />
  );
}
