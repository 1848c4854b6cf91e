"use client";

import { WifiOff } from "lucide-react";
import { useSyncExternalStore } from "react";
import { Warning } from "../ui/warning.tsx";

function subscribe(listener: () => void) {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

/** Says that the browser has no network while it has none; queries wait meanwhile and go on by themselves. */
export function OfflineBanner() {
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  return (
    <div role="status">
      {online ? null : (
        <Warning banner icon={WifiOff}>
          You’re offline. What you see may be out of date.
        </Warning>
      )}
    </div>
  );
}
