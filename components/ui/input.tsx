import type { ComponentProps } from "react";
import { cn } from "./cn.ts";

export const inputStyle =
  "w-full min-w-0 rounded-md border border-line-strong bg-surface text-ink shadow-xs transition-colors focus-visible:border-ring focus-visible:outline-1 focus-visible:outline-offset-0 disabled:cursor-not-allowed disabled:bg-sunken disabled:text-ink-faint aria-invalid:border-danger aria-invalid:focus-visible:outline-danger";

export function Input({ className, ...props }: ComponentProps<"input">) {
  return (
    <input dir="auto" className={cn(inputStyle, "h-8 px-2.5 text-base sm:text-sm", className)} {...props} />
  );
}
