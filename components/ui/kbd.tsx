import type { ReactNode } from "react";

export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-grid h-[1.125rem] min-w-[1.125rem] place-items-center rounded-sm border border-line bg-canvas px-1 font-sans text-2xs leading-none font-medium text-ink-muted">
      {children}
    </kbd>
  );
}
