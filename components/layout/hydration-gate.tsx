"use client";

import { createContext, startTransition, useEffect, useState } from "react";
import type { ReactNode } from "react";

/** Read by nobody. React cannot know that of parts it has not taken over yet, so a change of it makes React take over all of them first. */
const Listening = createContext(false);

/** Until when a part that doesn't come may hold back all others, in milliseconds. */
const patienceMs = 10_000;

/**
 * Holds back every field and button until every part of the page listens. The server sends pages with their data, so they can be seen
 * before their script has run, and what somebody clicked or typed in between would be lost; and React takes the parts between
 * Suspense boundaries over one after the other. Links work from the start, as the browser's own (instrumentation-client.ts). What is
 * held back looks as it will: the `disabled:` variant leaves it out.
 */
export function HydrationGate({ children }: { children: ReactNode }) {
  const [allListen, setAllListen] = useState(false);
  const [isLate, setIsLate] = useState(false);
  const listening = allListen || isLate;
  useEffect(() => {
    startTransition(() => {
      setAllListen(true);
    });
    const timer = setTimeout(() => {
      setIsLate(true);
    }, patienceMs);
    return () => {
      clearTimeout(timer);
    };
  }, []);
  useEffect(() => {
    // The browser could not focus it while it was held back.
    if (listening && document.activeElement === document.body) {
      document.querySelector<HTMLElement>("[data-gate] [autofocus]")?.focus();
    }
  }, [listening]);
  return (
    <Listening value={allListen}>
      <fieldset role="none" data-gate disabled={!listening} className="contents">
        {children}
      </fieldset>
    </Listening>
  );
}
