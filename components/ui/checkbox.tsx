"use client";

import { Check, Minus } from "lucide-react";
import { Checkbox as Primitive } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "./cn.ts";

export function Checkbox({ className, ...props }: ComponentProps<typeof Primitive.Root>) {
  const Mark = props.checked === "indeterminate" ? Minus : Check;
  return (
    <Primitive.Root
      className={cn(
        "grid size-4 shrink-0 place-items-center rounded-sm border border-line-strong bg-surface text-accent-ink shadow-xs disabled:cursor-not-allowed disabled:opacity-50 data-[state=checked]:border-accent data-[state=checked]:bg-accent data-[state=indeterminate]:border-accent data-[state=indeterminate]:bg-accent",
        className,
      )}
      {...props}
    >
      <Primitive.Indicator>
        <Mark className="size-3" strokeWidth={3} aria-hidden />
      </Primitive.Indicator>
    </Primitive.Root>
  );
}
