"use client";

import { useTheme } from "next-themes";
import { useEffect } from "react";
// eslint-disable-next-line no-restricted-imports -- here it is mounted.
import { toast, Toaster as Sonner } from "sonner";
import { toasterListens } from "./toast.ts";

/** Shows what `toast` is told; loaded by the toaster. */
export function SonnerToaster() {
  const { resolvedTheme } = useTheme();
  // After Sonner's own effect, with which it begins to listen.
  useEffect(() => toasterListens(toast), []);
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
