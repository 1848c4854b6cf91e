"use client";

import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/**
 * Whether the component is the browser's: false on the server and while what the server has drawn is taken over, which has to look the
 * same. For what only a browser can tell.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
