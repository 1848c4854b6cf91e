"use client";

import { createContext, useContext, useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { Dialog } from "../ui/dialog.tsx";
import { Kbd } from "../ui/kbd.tsx";
import { isTyping, matchesStep, takesEnter } from "./match-shortcut.ts";
import { useModKey } from "./use-mod-key.ts";

type Shortcut = {
  /** Steps separated by a space: `g m`, `j`, `mod+k`, `Escape`. */
  keys: string;
  label: string;
  group: string;
  run: () => void;
};

type Registry = { add: (shortcut: Shortcut) => () => void };

const RegistryContext = createContext<Registry | null>(null);
const sequenceTimeout = 900;

/** A modal dialog owns the keyboard; only panels that stand beside the page let shortcuts through. */
function modalIsOpen(): boolean {
  return (
    document.querySelector('[role="dialog"][data-state="open"][aria-modal="true"], [role="alertdialog"]') !==
      null || document.body.style.pointerEvents === "none"
  );
}

/** Owns the one key listener of the portal, and the `?` overview of what can be pressed here. */
export function ShortcutProvider({ children }: { children: ReactNode }) {
  const shortcuts = useRef(new Set<Shortcut>());
  const [overview, setOverview] = useState<Shortcut[] | null>(null);

  const registry = useMemo<Registry>(
    () => ({
      add(shortcut) {
        shortcuts.current.add(shortcut);
        return () => shortcuts.current.delete(shortcut);
      },
    }),
    [],
  );

  useEffect(() => {
    let pending: string[] = [];
    let lastPress = 0;

    function onKeyDown(event: KeyboardEvent) {
      if (event.defaultPrevented || event.repeat) return;
      const withMod = event.metaKey || event.ctrlKey;
      const isBehind = modalIsOpen();
      if (!withMod && (isTyping(event.target) || isBehind)) return;
      if (!withMod && event.key === "Enter" && takesEnter(event.target)) return;

      const now = event.timeStamp;
      if (now - lastPress > sequenceTimeout) pending = [];
      lastPress = now;

      if (!withMod && event.key === "?") {
        event.preventDefault();
        setOverview([...shortcuts.current]);
        return;
      }

      // The newest registration wins, so a panel can take a key from the page below it.
      const candidates = [...shortcuts.current].reverse();
      for (const shortcut of candidates) {
        const steps = shortcut.keys.split(" ");
        if (steps.length !== pending.length + 1) continue;
        const last = steps.at(-1);
        if (last === undefined || !matchesStep(last, event)) continue;
        if (!pending.every((key, index) => key === steps[index])) continue;
        event.preventDefault();
        pending = [];
        // Behind a dialog nothing happens, nor does what the browser would do.
        if (!isBehind) shortcut.run();
        return;
      }
      const opensSequence = candidates.some((shortcut) => {
        const steps = shortcut.keys.split(" ");
        return (
          steps.length > pending.length + 1 && [...pending, event.key].every((key, i) => key === steps[i])
        );
      });
      pending = opensSequence ? [...pending, event.key] : [];
    }

    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);

  const groups = Object.entries(Object.groupBy(overview ?? [], (shortcut) => shortcut.group));

  return (
    <RegistryContext value={registry}>
      {children}
      <Dialog
        open={overview !== null}
        onClose={() => setOverview(null)}
        title="Keyboard shortcuts"
        description="Not available while you type in a field."
      >
        <div className="grid gap-5">
          {groups.map(([group, items]) => (
            <section key={group}>
              <h3 className="mb-1.5 text-xs font-medium text-ink-faint">{group}</h3>
              <ul className="grid gap-1">
                {(items ?? []).map((item) => (
                  <li
                    key={`${item.keys}${item.label}`}
                    className="flex items-center justify-between gap-4 text-sm"
                  >
                    <span>{item.label}</span>
                    <ShortcutKeys keys={item.keys} />
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
      </Dialog>
    </RegistryContext>
  );
}

const keyNames: Record<string, string> = { Escape: "Esc", Enter: "↵" };

export function ShortcutKeys({ keys }: { keys: string }) {
  const mod = useModKey();
  return (
    <span className="inline-flex items-center gap-1">
      {keys.split(/[ +]/).map((key, index) => (
        <Kbd key={`${key}${index}`}>
          {key === "mod" ? mod : (keyNames[key] ?? (key.length === 1 ? key.toUpperCase() : key))}
        </Kbd>
      ))}
    </span>
  );
}

/** Binds a key while the calling component is on screen and `enabled`. */
export function useShortcut(
  keys: string,
  run: () => void,
  { label, group = "This page", enabled = true }: { label: string; group?: string; enabled?: boolean },
) {
  const registry = useContext(RegistryContext);
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    if (!registry || !enabled) return;
    return registry.add({ keys, label, group, run: () => latest.current() });
  }, [registry, keys, label, group, enabled]);
}
