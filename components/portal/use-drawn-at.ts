import { useEffect, useState } from "react";
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

/**
 * When the present hour or day of UTC began, in milliseconds since 1970; the next one while the page stays open. What a page shows up to
 * now hangs on it, so that a page that was left open over night does not stay in yesterday.
 */
export function useStartOf(length: number): number {
  const drawnAt = useDrawnAt();
  const [start, setStart] = useState(() => startOf(drawnAt, length));
  useEffect(() => {
    const timer = setInterval(() => setStart(startOf(Date.now(), length)), 60_000);
    return () => clearInterval(timer);
  }, [length]);
  return start;
}

const startOf = (moment: number, length: number) => Math.floor(moment / length) * length;
