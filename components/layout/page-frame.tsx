import type { ComponentProps } from "react";
import { cn } from "../ui/cn.ts";

/** Margins and width of a page; `wide` is for tables that use every column of the screen. */
export function PageFrame({ wide, className, ...props }: ComponentProps<"div"> & { wide?: boolean }) {
  return (
    <div
      className={cn(
        "mx-auto w-full px-4 py-6 sm:px-6 lg:px-8",
        wide ? "max-w-[112rem]" : "max-w-[80rem]",
        className,
      )}
      {...props}
    />
  );
}
