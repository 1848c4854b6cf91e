"use client";

import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useState, type ReactNode } from "react";
import { ConfirmDialog } from "./confirm-dialog.tsx";

/**
 * Asks before unsaved work is left, as long as it is drawn: the browser asks by itself when the page is closed, links within the
 * portal wait for an answer.
 */
export function LeaveGuard({
  onDiscard,
  children,
}: {
  /** Drops the work; without it, the work is kept somewhere. */
  onDiscard?: () => void;
  /** What leaving does to the work, in a sentence. */
  children: ReactNode;
}) {
  const router = useRouter();
  /** Where the reader wants to go while the question stands. */
  const [target, setTarget] = useState<string | null>(null);
  const [left, setLeft] = useState(false);
  const onClick = useEffectEvent((event: MouseEvent) => {
    const opensElsewhere =
      event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0;
    if (left || opensElsewhere || event.defaultPrevented || !(event.target instanceof Element)) return;
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
    // A page outside the portal is loaded anew, and was agreed to already.
    if (left) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [left]);
  return (
    <ConfirmDialog
      open={target !== null}
      onOpenChange={(open) => !open && setTarget(null)}
      title="Leave without saving?"
      confirmLabel="Leave"
      danger={onDiscard !== undefined}
      onConfirm={() => {
        if (target === null) return;
        setTarget(null);
        setLeft(true);
        onDiscard?.();
        router.push(target);
      }}
    >
      {children}
    </ConfirmDialog>
  );
}
