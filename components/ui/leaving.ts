"use client";

import { useRouter } from "next/navigation";
import { useCallback } from "react";

interface Guard {
  /** Asks the reader before it does what they want. */
  ask: (go: () => void) => void;
  /** Whether its work is gone at an address of this site. */
  leaves: (address: string) => boolean;
  /** Its work is of one environment, so that another one leaves it as well. */
  ofEnvironment: boolean;
}
const guards: Guard[] = [];

/**
 * Whether an address is of another page. Another place on this one is no leaving.
 * @param parameters those of the address that say what the page is about
 */
export function leavesPage(
  address: string,
  parameters: readonly string[] = [],
  now: string = window.location.href,
): boolean {
  const [there, here] = [new URL(address, now), new URL(now)];
  if (there.pathname !== here.pathname) return true;
  return parameters.some((each) => there.searchParams.get(each) !== here.searchParams.get(each));
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

/** Does what ends every page, as signing out: where that leaves unsaved work, the reader is asked first. */
export function leaveAll(go: () => void): void {
  const guard = guards.at(-1);
  if (guard) guard.ask(go);
  else go();
}

/** Goes to a page of the portal as a click on a link does: where that leaves unsaved work, the reader is asked first. */
export function useGo(): (address: string) => void {
  const router = useRouter();
  return useCallback(
    (address) => {
      const guard = guards.findLast(({ leaves }) => leaves(address));
      if (guard) guard.ask(() => router.push(address));
      else router.push(address);
    },
    [router],
  );
}

/** Where somebody typed on this page. */
const typedIn = new Set<HTMLElement>();
if (typeof document !== "undefined") {
  document.addEventListener(
    "input",
    ({ target }) => {
      for (const each of typedIn) if (!each.isConnected) typedIn.delete(each);
      // What is searched for is in the address.
      if (target instanceof HTMLElement && !target.matches("[type=search]")) typedIn.add(target);
    },
    true,
  );
}

const textIn = (element: HTMLElement) =>
  "value" in element && typeof element.value === "string" ? element.value : element.textContent;

/** Marks an element that shows what cannot be shown again. */
export const shownOnce = { "data-shown-once": "" };

/**
 * Whether something would be lost with the page: unsaved work, what was typed into a dialog or a field that is still there, or a secret
 * that is shown this once.
 */
export function holdsWork(): boolean {
  return (
    guards.length > 0 ||
    [...typedIn].some((each) => each.isConnected && textIn(each).trim() !== "") ||
    (typeof document !== "undefined" && document.querySelector("[data-shown-once]") !== null)
  );
}
