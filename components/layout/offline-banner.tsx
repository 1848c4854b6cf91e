"use client";

import { WifiOff } from "lucide-react";
import { useSyncExternalStore } from "react";

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
        <p className="flex items-center gap-2 border-b border-line bg-warning-soft px-4 py-2 text-sm text-warning-text lg:px-8 print:hidden">
          <WifiOff className="size-4 shrink-0" aria-hidden />
          You’re offline. What you see may be out of date.
        </p>
      )}
    </div>
  );
}
