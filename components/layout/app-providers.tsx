"use client";

import { ThemeProvider } from "next-themes";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import type { ReactNode } from "react";
import { Toaster } from "../ui/toaster.tsx";
import { TooltipProvider } from "../ui/tooltip.tsx";
import { ViewerCookie } from "./viewer-cookie.tsx";

/** What every page needs, signed in or not. `nonce` lets the theme script run under the page's policy. */
export function AppProviders({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  return (
    <ThemeProvider
      attribute="data-theme"
      defaultTheme="system"
      enableSystem
      disableTransitionOnChange
      nonce={nonce}
    >
      <NuqsAdapter>
        <TooltipProvider delayDuration={250} skipDelayDuration={200}>
          {children}
        </TooltipProvider>
      </NuqsAdapter>
      <Toaster />
      <ViewerCookie />
    </ThemeProvider>
  );
}
