"use client";

import { useEffect, useState } from "react";

/** A value as it was when it last rested for a while, in ms: what follows typing asks once, not with every letter. */
export function useSettled<T>(value: T, pause: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pause);
    return () => clearTimeout(timer);
  }, [value, pause]);
  return settled;
}
