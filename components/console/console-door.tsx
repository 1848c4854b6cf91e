import type { ReactNode } from "react";
import { Wordmark } from "../layout/logo.tsx";
import { Badge } from "../ui/badge.tsx";
import { Card } from "../ui/card.tsx";
import { cn } from "../ui/cn.ts";

/** A page of the console for somebody who is not signed in. It looks unlike the portal's: nobody should confuse the two. */
export function ConsoleDoor({
  title,
  description,
  children,
  className = "max-w-sm",
}: {
  title: string;
  description: string;
  children: ReactNode;
  /** How wide it gets. */
  className?: string;
}) {
  return (
    <main className="grid min-h-dvh place-items-center bg-sunken px-4 py-10">
      <div className={cn("w-full", className)}>
        <div className="mb-5 flex items-center justify-between gap-3">
          <Wordmark />
          <Badge tone="outline">Operators only</Badge>
        </div>
        <Card className="px-5 pt-5 pb-6 shadow-xs">
          <h1 className="text-xl font-semibold tracking-[-0.015em]">{title}</h1>
          <p className="mt-1 mb-5 text-sm text-ink-muted">{description}</p>
          {children}
        </Card>
      </div>
    </main>
  );
}
