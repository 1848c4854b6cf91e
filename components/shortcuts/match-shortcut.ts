/** The part of a keyboard event that decides about a shortcut. */
export type KeyPress = {
  key: string;
  metaKey: boolean;
  ctrlKey: boolean;
  altKey: boolean;
};

const editable = new Set(["INPUT", "TEXTAREA", "SELECT"]);

/** True where a key belongs to the text being typed, so that shortcuts must stay silent. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    editable.has(target.tagName) ||
    target.isContentEditable ||
    target.closest('[role="menu"],[role="listbox"]') !== null
  );
}

/** True where Enter belongs to what has the focus: a link or a button does what it is there for. */
export function takesEnter(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("a[href], button, summary") !== null;
}

/**
 * Compares one key press with one step of a shortcut such as `j`, `?`, `Escape` or `mod+k`.
 * `mod` is ⌘ on a Mac and Ctrl elsewhere. Shift is not compared: `?` already contains it.
 */
export function matchesStep(step: string, press: KeyPress): boolean {
  const parts = step.split("+");
  const key = parts.at(-1) ?? "";
  const wantsMod = parts.includes("mod");
  const hasMod = press.metaKey || press.ctrlKey;
  return press.key.toLowerCase() === key.toLowerCase() && wantsMod === hasMod && !press.altKey;
}
