"use client";

import { useCallback, useSyncExternalStore } from "react";

const changed = "tidings:remembered";

/**
 * A small preference kept in this browser, shared by all components that use the same key.
 * Unreadable or missing storage gives the fallback; the server renders the fallback as well.
 */
export function useRemembered<T>(key: string, fallback: T): [T, (value: T) => void] {
  const storageKey = `tidings:${key}`;
  const raw = useSyncExternalStore(
    (listener) => {
      window.addEventListener("storage", listener);
      window.addEventListener(changed, listener);
      return () => {
        window.removeEventListener("storage", listener);
        window.removeEventListener(changed, listener);
      };
    },
    () => {
      try {
        return localStorage.getItem(storageKey);
      } catch {
        return null;
      }
    },
    () => null,
  );

  let value = fallback;
  if (raw !== null) {
    try {
      value = JSON.parse(raw) as T;
    } catch {
      value = fallback;
    }
  }

  const remember = useCallback(
    (next: T) => {
      try {
        localStorage.setItem(storageKey, JSON.stringify(next));
      } catch {
        // Private windows may refuse storage; the choice then lasts until the page is left.
      }
      window.dispatchEvent(new Event(changed));
    },
    [storageKey],
  );
  return [value, remember];
}
