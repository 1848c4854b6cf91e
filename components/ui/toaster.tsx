"use client";

import dynamic from "next/dynamic";
import { useSyncExternalStore } from "react";
import { useFirstTouch } from "./use-first-touch.ts";
import { toasterWanted, wantToaster } from "./toast.ts";

const SonnerToaster = dynamic(() => import("./sonner-toaster.tsx").then((module) => module.SonnerToaster), {
  ssr: false,
});

/** Where `toast` says what happened. */
export function Toaster() {
  const isWanted = useSyncExternalStore(toasterWanted.subscribe, toasterWanted.now, toasterWanted.onServer);
  useFirstTouch(wantToaster);
  return isWanted ? <SonnerToaster /> : null;
}
