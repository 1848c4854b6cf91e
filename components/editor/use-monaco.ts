"use client";

import { useEffect, useState } from "react";
import { loadMonaco } from "./load-monaco.ts";
import type { Monaco } from "./monaco-types.ts";

type Loaded = { state: "loading" } | { state: "ready"; monaco: Monaco } | { state: "failed" };

/** After this long a plain field is better than waiting; milliseconds. */
const patience = 15_000;

/** Loads Monaco while a skeleton stands in its place. What failed or came too late stays away until `retry`. */
export function useMonaco(): Loaded & { retry: () => void } {
  const [loaded, setLoaded] = useState<Loaded>({ state: "loading" });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let over = false;
    const settle = (next: Loaded) => {
      if (over) return;
      over = true;
      setLoaded(next);
    };
    const timer = setTimeout(() => settle({ state: "failed" }), patience);
    loadMonaco().then(
      (monaco) => settle({ state: "ready", monaco }),
      () => settle({ state: "failed" }),
    );
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [attempt]);
  return {
    ...loaded,
    retry: () => {
      setLoaded({ state: "loading" });
      setAttempt((count) => count + 1);
    },
  };
}
