"use client";

import { useEffect } from "react";
import type { ReactNode } from "react";
import { useHydrated } from "../ui/use-hydrated.ts";

/**
 * Holds back every field and button until the page listens. The server sends pages with their data, so they can be seen before their
 * script has run, and what somebody clicked or typed in between would be lost. Links work from the start, as
 * the browser's own (instrumentation-client.ts). What is held back looks
 * as it will: the `disabled:` variant leaves it out.
 */
export function HydrationGate({ children }: { children: ReactNode }) {
  const hydrated = useHydrated();
  useEffect(() => {
    // The browser could not focus it while it was held back.
    if (hydrated && document.activeElement === document.body) {
      document.querySelector<HTMLElement>("[data-gate] [autofocus]")?.focus();
    }
  }, [hydrated]);
  return (
    <fieldset role="none" data-gate disabled={!hydrated} className="contents">
      {children}
    </fieldset>
  );
}
