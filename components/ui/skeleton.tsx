import { cn } from "./cn.ts";

/** A grey bar of the size of what will stand here. Hidden from screen readers; the region says it is busy. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cn("skeleton block h-3.5 rounded-sm", className)} />;
}
