"use client";

import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from "react";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { guardPage, leavesPage } from "./leaving.ts";

/**
 * Asks before unsaved work is left, as long as it is drawn: the browser asks by itself when the page is closed; links within the portal,
 * its keys and its search wait for an answer, and so does the way back in browsers that tell before they go it.
 */
export function LeaveGuard({
  onDiscard,
  ofEnvironment = false,
  parameter,
  title = "Leave without saving?",
  children,
}: {
  /** Drops the work; without it, the work is kept somewhere. */
  onDiscard?: () => void;
  /** The work is of one environment, and another one leaves it. */
  ofEnvironment?: boolean | undefined;
  /** The parameter of the address that says what the work is about: another value leaves it. */
  parameter?: string | undefined;
  title?: string | undefined;
  /** What leaving does to the work, in a sentence. */
  children: ReactNode;
}) {
  const leaves = useEffectEvent((address: string) =>
    leavesPage(
      address,
      [parameter, ofEnvironment ? "env" : undefined].filter((each) => each !== undefined),
    ),
  );
  /** What the reader wants to do while the question stands. */
  const [leave, setLeave] = useState<(() => void) | null>(null);
  /** Agreed to: nothing is asked any more, also where a page outside the portal is loaded. */
  const agreed = useRef(false);
  const onClick = useEffectEvent((event: MouseEvent) => {
    const opensElsewhere =
      event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0;
    if (agreed.current || opensElsewhere || event.defaultPrevented || !(event.target instanceof Element))
      return;
    const link = event.target.closest<HTMLAnchorElement>("a[href]");
    if (!link || link.target === "_blank" || link.hasAttribute("download")) return;
    const url = new URL(link.href, window.location.href);
    // Leaving the site is the browser's question.
    if (url.origin !== window.location.origin || !leaves(url.href)) return;
    event.preventDefault();
    event.stopPropagation();
    // As the reader would have: some links load the page anew. One of a menu may be gone by then.
    setLeave(() => () => (link.isConnected ? link.click() : window.location.assign(link.href)));
  });
  useEffect(() => {
    // Before React's own listeners, so that no link has navigated yet.
    const listen = (event: MouseEvent) => onClick(event);
    document.addEventListener("click", listen, true);
    const end = guardPage({
      ask: (go) => setLeave(() => go),
      leaves: (address) => leaves(address),
      ofEnvironment,
    });
    return () => {
      document.removeEventListener("click", listen, true);
      end();
    };
  }, [ofEnvironment]);
  useEffect(() => {
    // Not every browser has it.
    if (!("navigation" in window)) return;
    const { navigation } = window;
    const onNavigate = (event: NavigateEvent) => {
      const { destination, navigationType, cancelable, defaultPrevented } = event;
      // Another guard asks already.
      if (agreed.current || navigationType !== "traverse" || !cancelable || defaultPrevented) return;
      if (!leaves(destination.url)) return;
      const steps = destination.index - (navigation.currentEntry?.index ?? 0);
      event.preventDefault();
      setLeave(() => () => window.history.go(steps));
    };
    navigation.addEventListener("navigate", onNavigate);
    return () => navigation.removeEventListener("navigate", onNavigate);
  }, []);
  useEffect(() => {
    const hold = (event: BeforeUnloadEvent) => {
      if (!agreed.current) event.preventDefault();
    };
    window.addEventListener("beforeunload", hold);
    return () => window.removeEventListener("beforeunload", hold);
  }, []);
  return (
    <ConfirmDialog
      open={leave !== null}
      onClose={() => setLeave(null)}
      title={title}
      confirmLabel="Leave"
      cancelLabel="Stay"
      danger={onDiscard !== undefined}
      onConfirm={() => {
        if (!leave) return;
        setLeave(null);
        agreed.current = true;
        onDiscard?.();
        leave();
      }}
    >
      {children}
    </ConfirmDialog>
  );
}
