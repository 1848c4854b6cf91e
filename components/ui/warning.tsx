import { TriangleAlert, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "./cn.ts";

/** Something to know before one goes on. As a `banner` it is a line along the top of the page, which paper leaves out. */
export function Warning({
  icon: Icon = TriangleAlert,
  banner = false,
  action,
  role,
  className,
  children,
}: {
  icon?: LucideIcon;
  banner?: boolean;
  action?: ReactNode;
  /** Where it appears by itself: `status`. */
  role?: "status";
  className?: string;
  children: ReactNode;
}) {
  return (
    <div
      role={role}
      className={cn(
        "flex items-start gap-2 bg-warning-soft text-sm text-warning-text",
        banner ? "border-b border-line px-4 py-2 lg:px-8 print:hidden" : "rounded-md px-3 py-2.5",
        className,
      )}
    >
      <Icon className="mt-0.5 size-4 shrink-0" aria-hidden />
      <p className="min-w-0 flex-1 break-words">{children}</p>
      {action}
    </div>
  );
}
