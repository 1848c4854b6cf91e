import { useSyncExternalStore } from "react";
import type { drawSeries } from "./draw-series.tsx";

let loaded: typeof drawSeries | Error | null = null;
const listeners = new Set<() => void>();

function load(): void {
  import("./draw-series.tsx")
    .then(
      (module) => (loaded = module.drawSeries),
      (error: unknown) => (loaded = new Error("The charts could not be loaded.", { cause: error })),
    )
    .finally(() => listeners.forEach((tell) => tell()));
}
// On its way while the figures are.
if (typeof window !== "undefined") load();

function listen(tell: () => void): () => void {
  listeners.add(tell);
  return () => void listeners.delete(tell);
}

/**
 * What draws charts, once it is there; it is large, and a page shows its numbers before. Not `lazy`: what waits in a Suspense boundary
 * comes a third of a second late by design. Throws when it could not be loaded.
 */
export function useDrawing(): typeof drawSeries | null {
  const drawing = useSyncExternalStore(
    listen,
    () => loaded,
    () => null,
  );
  if (drawing instanceof Error) throw drawing;
  return drawing;
}
