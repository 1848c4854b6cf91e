"use client";

import { useState } from "react";

/** Not what has the focus only because nothing in it has, as the page itself. */
const focusable =
  ":is(a[href], button, input, select, textarea, summary, [tabindex]):not(:disabled, [tabindex='-1'])";
/** So many are remembered: the item of a menu, the menu's button, and what was before. */
const most = 8;

/** What the reader has used lately, newest first; what opens a dialog may be gone by then, as the item of a menu is. */
const used: HTMLElement[] = [];

function remember(element: Element | null | undefined) {
  if (!(element instanceof HTMLElement) || !element.matches(focusable) || element === used[0]) return;
  used.unshift(element);
  used.length = Math.min(used.length, most);
}

if (typeof document !== "undefined") {
  document.addEventListener("focusin", ({ target }) => remember(target as Element), true);
  // A row that is clicked beside its button has no focus of its own, and in some browsers no button that is clicked gets it.
  document.addEventListener(
    "pointerdown",
    ({ target }) => {
      const hit = target instanceof Element ? target : null;
      const row = hit?.closest("tr, li");
      // In a row that can be chosen, the box stands before what opens it.
      remember(
        hit?.closest(focusable) ?? row?.querySelector("[data-opener]") ?? row?.querySelector(focusable),
      );
    },
    true,
  );
}

/**
 * For the content of a dialog or panel that is opened by code and so has no trigger: when it closes, the focus is back where it was
 * opened from, unless the reader has gone elsewhere meanwhile.
 */
export function useReturnFocus(open: boolean) {
  const [opened, setOpened] = useState<{ open: boolean; from: HTMLElement[] }>({ open: false, from: [] });
  // While it is drawn for the first time: a field of it may take the focus before any effect runs.
  if (open !== opened.open) setOpened({ open, from: open ? [...used] : opened.from });
  return {
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      const focused = document.activeElement;
      if (focused !== null && focused !== document.body) return;
      opened.from.find((each) => each.isConnected && each.checkVisibility())?.focus({ preventScroll: true });
    },
  };
}
