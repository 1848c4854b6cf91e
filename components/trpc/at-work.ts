"use client";

/** For how long somebody who has done something on a page counts as at work, ms. */
const atWorkMs = 60_000;

/** Whoever opened the page is. */
let lastDoneAt = Date.now();
if (typeof document !== "undefined") {
  for (const what of ["pointermove", "pointerdown", "wheel", "keydown", "input"]) {
    document.addEventListener(what, () => (lastDoneAt = Date.now()), { capture: true, passive: true });
  }
}

/** Says with a call that the page refreshes itself while nobody does anything on it: that keeps no session from ending. */
export function attendance(now = Date.now()): Record<string, string> {
  return now - lastDoneAt > atWorkMs ? { "x-tidings-unattended": "1" } : {};
}
