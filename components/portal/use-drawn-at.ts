import { useState } from "react";
import { useHydrated } from "../ui/use-hydrated.ts";
import { usePortalData } from "./portal-context.tsx";

/**
 * When the page was first drawn, in milliseconds since 1970. What comes from the server is drawn by the server's clock also where the
 * browser takes it over: were a question for the last hour another one there, by a minute that has passed or a clock that is wrong,
 * nothing of what was sent would be its answer, and React would throw the page away.
 */
export function useDrawnAt(): number {
  const portal = usePortalData();
  const hydrated = useHydrated();
  const [at] = useState(() => (hydrated ? Date.now() : portal.drawnAt));
  return at;
}
