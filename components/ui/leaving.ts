"use client";

import { useRouter } from "next/navigation";
import { useCallback } from "react";

interface Guard {
  /** Asks the reader before it does what they want. */
  ask: (go: () => void) => void;
  /** Its work is of one environment, so that another one leaves it as well. */
  ofEnvironment: boolean;
}
const guards: Guard[] = [];

/** Whether an address is of another page. Another place on this one is no leaving. */
export function leavesPage(address: string, now: string = window.location.href): boolean {
  return new URL(address, now).pathname !== new URL(now).pathname;
}

/** From now on, until what is returned is called, `guard` is asked before the page is left. */
export function guardPage(guard: Guard): () => void {
  guards.push(guard);
  return () => {
    guards.splice(guards.lastIndexOf(guard), 1);
  };
}

/** Goes to another environment on the same page: where that leaves unsaved work, the reader is asked first. */
export function leave(go: () => void): void {
  const guard = guards.findLast(({ ofEnvironment }) => ofEnvironment);
  if (guard) guard.ask(go);
  else go();
}

/** Goes to a page of the portal as a click on a link does: where that leaves unsaved work, the reader is asked first. */
export function useGo(): (address: string) => void {
  const router = useRouter();
  return useCallback(
    (address) => {
      const guard = guards.at(-1);
      if (guard && leavesPage(address)) guard.ask(() => router.push(address));
      else router.push(address);
    },
    [router],
  );
}
