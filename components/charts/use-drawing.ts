import { useSyncExternalStore } from "react";
import type { drawSeries } from "./draw-series.tsx";

type Drawing = typeof drawSeries | "loading" | "failed";
let drawing: Drawing = "loading";
let isLoading = false;
const listeners = new Set<() => void>();

function load(): void {
  isLoading = true;
  import("./draw-series.tsx")
    .then(
      (module) => (drawing = module.drawSeries),
      () => (drawing = "failed"),
    )
    .finally(() => {
      isLoading = false;
      listeners.forEach((tell) => tell());
    });
}
// On its way while the figures are.
if (typeof window !== "undefined") load();

/** A chart that comes later asks once more for what could not be loaded. */
function listen(tell: () => void): () => void {
  if (drawing === "failed" && !isLoading) load();
  listeners.add(tell);
  return () => void listeners.delete(tell);
}

/**
 * What draws charts, once it is there; it is large, and a page shows its numbers before. Not `lazy`: what waits in a Suspense boundary
 * comes a third of a second late by design, and what fails in one takes the page with it.
 */
export function useDrawing(): Drawing {
  return useSyncExternalStore(
    listen,
    () => drawing,
    () => "loading",
  );
}
