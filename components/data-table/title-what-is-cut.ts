import type { PointerEvent } from "react";

/** Gives a cell that cuts its text off the whole of it as title, once the pointer is there; takes it away when it has room again. */
export function titleWhatIsCut({ currentTarget: cell }: PointerEvent<HTMLElement>): void {
  if (cell.querySelector("[title]")) return;
  const isCut = [cell, ...cell.querySelectorAll<HTMLElement>("*")].some(
    (each) => each.scrollWidth > each.clientWidth && getComputedStyle(each).overflowX !== "visible",
  );
  if (isCut) cell.title = cell.innerText.trim();
  else cell.removeAttribute("title");
}
