import { useEffect } from "react";

/** Calls once when the reader begins to use the page: with the first key or press. For scripts that nobody needs before. */
export function useFirstTouch(begin: () => void): void {
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    function onTouch() {
      controller.abort();
      begin();
    }
    window.addEventListener("pointerdown", onTouch, { signal, capture: true });
    window.addEventListener("keydown", onTouch, { signal, capture: true });
    return () => controller.abort();
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once for a page, whatever is drawn anew
  }, []);
}
