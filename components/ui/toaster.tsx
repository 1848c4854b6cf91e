"use client";

import { useTheme } from "next-themes";
import { Toaster as Sonner } from "sonner";

export function Toaster() {
  const { resolvedTheme } = useTheme();
  return (
    <Sonner
      theme={resolvedTheme === "dark" ? "dark" : "light"}
      position="bottom-right"
      gap={8}
      toastOptions={{
        classNames: {
          toast: "!rounded-lg !border !border-line !bg-raised !text-ink !shadow-md !font-sans !text-sm",
          description: "!text-ink-muted !text-xs",
          actionButton: "!bg-accent !text-accent-ink",
          // It may lie over the button that somebody wants next: a click goes through it.
          success: "!pointer-events-none [&_[data-icon]]:text-success-text",
          error: "[&_[data-icon]]:text-danger-text",
        },
      }}
    />
  );
}
