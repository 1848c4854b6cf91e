"use client";

import { useCallback, useState } from "react";

/**
 * Whether what an element holds is no wider than the element. A box that can scroll sideways keeps headers inside from sticking to the
 * page, so that it should be one only while it has to. False until it has been measured.
 */
export function useFits() {
  const [fits, setFits] = useState(false);
  const ref = useCallback((box: HTMLElement | null) => {
    if (!box) return undefined;
    const measure = () =>
      setFits([...box.children].every((child) => (child as HTMLElement).offsetWidth <= box.clientWidth));
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    for (const child of box.children) observer.observe(child);
    return () => observer.disconnect();
  }, []);
  return { ref, fits };
}
