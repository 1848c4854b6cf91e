/**
 * Runs in the browser before the page is taken over. Until it listens (the gate of components/layout/hydration-gate.tsx is open) nothing
 * can answer a press, a key or the pointer, but React would take the tree over at once to hand them on, in the middle of what it is
 * doing; that can fail, and then the link under the pointer is replaced between press and release and the click is lost. So until then
 * they belong to the browser alone: a link leads where it says, by a load of the page.
 */
const events = [
  ...["pointerover", "pointerdown", "pointerup", "pointercancel", "touchstart", "touchend", "touchcancel"],
  ...["mouseover", "mousedown", "mouseup", "click", "auxclick", "dblclick", "contextmenu"],
  ...["keydown", "keypress", "keyup", "focusin"],
];

function keepFromReact(event: Event): void {
  if (document.querySelector("[data-gate]:disabled")) {
    event.stopPropagation();
    return;
  }
  for (const type of events) window.removeEventListener(type, keepFromReact, true);
}

for (const type of events) window.addEventListener(type, keepFromReact, true);
