"use client";

import { useHydrated } from "../ui/use-hydrated.ts";

/** Whether a browser says that it runs on a Mac, an iPhone or an iPad, where ⌘ is pressed and not Ctrl. */
export function onApple(browser: { platform: string; userAgent: string }): boolean {
  return /^(?:Mac|iPhone|iPad|iPod)/.test(browser.platform || "") || /\bMacintosh\b/.test(browser.userAgent);
}

/** What `mod` in a shortcut is called on this keyboard. Until the browser has taken the page over, as on most of them. */
export function useModKey(): "⌘" | "Ctrl" {
  const hydrated = useHydrated();
  return hydrated && onApple(navigator) ? "⌘" : "Ctrl";
}
