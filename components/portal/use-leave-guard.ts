"use client";

import { useEffect, useEffectEvent, useState } from "react";

/**
 * Asks before unsaved work is left: the browser asks by itself when the page is closed, links within the portal wait for
 * an answer. `target` is where the reader wants to go while the question stands.
 */
export function useLeaveGuard(dirty: boolean) {
  const [target, setTarget] = useState<string | null>(null);
  const onClick = useEffectEvent((event: MouseEvent) => {
    const opensElsewhere =
      event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0;
    if (!dirty || opensElsewhere || event.defaultPrevented || !(event.target instanceof Element)) return;
    const link = event.target.closest<HTMLAnchorElement>("a[href]");
    if (!link || link.target === "_blank" || link.hasAttribute("download")) return;
    const url = new URL(link.href, window.location.href);
    // Leaving the site is the browser's question; another place on this page is no leaving.
    if (url.origin !== window.location.origin || url.pathname === window.location.pathname) return;
    event.preventDefault();
    event.stopPropagation();
    setTarget(url.pathname + url.search + url.hash);
  });
  useEffect(() => {
    // Before React's own listeners, so that no link has navigated yet.
    const listen = (event: MouseEvent) => onClick(event);
    document.addEventListener("click", listen, true);
    return () => document.removeEventListener("click", listen, true);
  }, []);
  useEffect(() => {
    if (!dirty) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [dirty]);
  return { target, stay: () => setTarget(null) };
}
