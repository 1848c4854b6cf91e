import { useLayoutEffect } from "react";

/**
 * Names the browser's tab after what the page shows; null leaves it alone. The title that the page was sent with ("Template") is taken
 * over by React at a time of its own, and its text put back then, so the name is kept for as long as the page is shown.
 */
export function useDocumentTitle(title: string | null): void {
  // Ends with the page, not after it: the next page's title is not this one's to keep.
  useLayoutEffect(() => {
    if (title === null) return undefined;
    const keep = () => {
      if (document.title !== title) document.title = title;
    };
    keep();
    const observer = new MutationObserver(keep);
    observer.observe(document.head, { childList: true, characterData: true, subtree: true });
    return () => {
      observer.disconnect();
    };
  }, [title]);
}
