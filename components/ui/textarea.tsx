import type { ComponentProps } from "react";
import { cn } from "./cn.ts";
import { inputStyle } from "./input.tsx";

/** Several lines of plain text. */
export function Textarea({ className, rows = 3, ...props }: ComponentProps<"textarea">) {
  return (
    <textarea
      dir="auto"
      rows={rows}
      className={cn(inputStyle, "block px-2.5 py-1.5 text-base leading-5 sm:text-sm", className)}
      {...props}
    />
  );
}
