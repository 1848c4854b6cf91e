import type { ReactNode } from "react";
import { cn } from "../ui/cn.ts";

/** Figures that are still those before a change of what is asked for look so, until the others are there. */
export function Outdated({ when: outdated, children }: { when: boolean; children: ReactNode }) {
  return (
    <div aria-busy={outdated} className={cn("transition-opacity", outdated && "opacity-60")}>
      {children}
    </div>
  );
}
