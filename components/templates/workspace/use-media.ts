"use client";

import { useSyncExternalStore } from "react";

/** Whether a media query holds now. The server cannot know: while it draws, and until its page is taken over, it is as `drawn` says. */
export function useMedia(query: string, drawn = false): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = window.matchMedia(query);
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    () => window.matchMedia(query).matches,
    () => drawn,
  );
}
