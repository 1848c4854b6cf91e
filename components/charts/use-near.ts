import { useEffect, useRef, useState, type RefObject } from "react";
import { flushSync } from "react-dom";

/**
 * Whether an element has come near the part of the page that is seen, or the page is printed; true from then on. What is costly to
 * draw and further down waits for it, so that what is seen first is there first.
 */
export function useNear<Element extends HTMLElement>(): [RefObject<Element | null>, boolean] {
  const ref = useRef<Element>(null);
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    if (isNear || !ref.current) return;
    const show = () => setIsNear(true);
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && show(),
      {
        rootMargin: "100px 0px",
      },
    );
    observer.observe(ref.current);
    const showNow = () => flushSync(show);
    window.addEventListener("beforeprint", showNow);
    return () => {
      observer.disconnect();
      window.removeEventListener("beforeprint", showNow);
    };
  }, [isNear]);
  return [ref, isNear];
}
